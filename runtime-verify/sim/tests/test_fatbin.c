// SPDX-License-Identifier: MIT
// The reader of fat binaries, on one that is put together here: a header, an entry, and an ELF file
// with the sections that matter.
#include "core/fatbin.h"

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { CAPACITY = 4096, ENTRY_AT = 16, ELF_AT = ENTRY_AT + 64, ENTRY_FLAGS_AT = ENTRY_AT + 40 };
enum { NAMES, INFO, SYMBOLS, STRINGS, DATA, SECTION_COUNT };

typedef struct {
    unsigned char bytes[CAPACITY];
    size_t size;
    Elf64_Shdr sections[SECTION_COUNT];
} Image;

static void put(Image *image, const void *data, size_t size)
{
    memcpy(image->bytes + image->size, data, size);
    image->size += size;
}

static void put_section(Image *image, int index, uint32_t name, const void *data, size_t size)
{
    image->sections[index] =
        (Elf64_Shdr){.sh_name = name, .sh_offset = image->size - ELF_AT, .sh_size = size};
    put(image, data, size);
}

// Kernel k(8 bytes, 4 bytes, 24 bytes); variable v with the value 5.
static void build(Image *image)
{
    static const char names[] = "\0.nv.info.k\0.symtab\0.data";
    static const char strings[] = "\0v";
    static const uint32_t info[] = {
        0x00080a04,  6,       0x280160, // another attribute
        0x000c1704,  0,       2 | 16 << 16, 24 << 18, 0x000c1704, 0,
        1 | 8 << 16, 4 << 18, 0x000c1704,   0,        0,          8 << 18,
    };
    static const uint32_t data[] = {9, 5};
    const Elf64_Sym symbols[] = {{0},
                                 {.st_name = 1, .st_shndx = DATA, .st_value = 4, .st_size = 4}};
    memset(image, 0, sizeof *image);
    image->size = ELF_AT + sizeof(Elf64_Ehdr);
    put_section(image, NAMES, 0, names, sizeof names);
    put_section(image, INFO, 1, info, sizeof info);
    put_section(image, SYMBOLS, 12, symbols, sizeof symbols);
    image->sections[SYMBOLS].sh_link = STRINGS;
    put_section(image, STRINGS, 0, strings, sizeof strings);
    put_section(image, DATA, 20, data, sizeof data);
    Elf64_Ehdr header = {.e_ident = ELFMAG,
                         .e_shoff = image->size - ELF_AT,
                         .e_shentsize = sizeof(Elf64_Shdr),
                         .e_shnum = SECTION_COUNT,
                         .e_shstrndx = NAMES};
    memcpy(image->bytes + ELF_AT, &header, sizeof header);
    put(image, image->sections, sizeof image->sections);
    uint64_t fat[2] = {0x00100001ba55ed50, image->size - ENTRY_AT};
    uint64_t entry[2] = {2 | (uint64_t)64 << 32, image->size - ELF_AT};
    memcpy(image->bytes, fat, sizeof fat);
    memcpy(image->bytes + ENTRY_AT, entry, sizeof entry);
}

static void reads_parameters(void **state)
{
    (void)state;
    Image image;
    SimParameter out[SIM_PARAMETERS_MOST];
    build(&image);
    assert_int_equal(sim_fatbin_parameters(image.bytes, image.size, "k", out), 3);
    assert_int_equal(out[0].size, 8);
    assert_int_equal(out[1].size, 4);
    assert_int_equal(out[1].offset, 8);
    assert_int_equal(out[2].size, 24);
    assert_int_equal(sim_fatbin_parameters(image.bytes, image.size, "other", out), -1);
}

static void reads_first_values(void **state)
{
    (void)state;
    Image image;
    build(&image);
    const void *value = sim_fatbin_initial(image.bytes, image.size, "v", 4);
    assert_non_null(value);
    uint32_t number = 0;
    memcpy(&number, value, sizeof number);
    assert_int_equal(number, 5);
    assert_null(sim_fatbin_initial(image.bytes, image.size, "v", 8));
    assert_null(sim_fatbin_initial(image.bytes, image.size, "w", 4));
}

static void says_when_it_is_compressed(void **state)
{
    (void)state;
    Image image;
    SimParameter out[SIM_PARAMETERS_MOST];
    build(&image);
    image.bytes[ENTRY_FLAGS_AT + 1] = 0x80;
    assert_int_equal(sim_fatbin_parameters(image.bytes, image.size, "k", out), -1);
}

// Whatever is wrong with it, it is refused or read in part, and nothing outside is touched.
static void survives_damage(void **state)
{
    (void)state;
    Image image;
    SimParameter out[SIM_PARAMETERS_MOST];
    build(&image);
    for (size_t size = 0; size < image.size; size++) {
        unsigned char *cut = malloc(size + 1);
        memcpy(cut, image.bytes, size);
        assert_int_equal(sim_fatbin_parameters(cut, size, "k", out), -1);
        free(cut);
    }
    for (size_t i = 0; i < image.size; i++) {
        unsigned char kept = image.bytes[i];
        image.bytes[i] = 0xff;
        unsigned char *copy = malloc(image.size);
        memcpy(copy, image.bytes, image.size);
        assert_in_range(sim_fatbin_parameters(copy, image.size, "k", out) + 1, 0,
                        SIM_PARAMETERS_MOST + 1);
        sim_fatbin_initial(copy, image.size, "v", 4);
        free(copy);
        image.bytes[i] = kept;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_parameters),
        cmocka_unit_test(reads_first_values),
        cmocka_unit_test(says_when_it_is_compressed),
        cmocka_unit_test(survives_damage),
    };
    return cmocka_run_group_tests_name("sim fat binaries", tests, NULL, NULL);
}
