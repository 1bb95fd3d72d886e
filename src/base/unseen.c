// Characters of Unicode that are not seen, or look like the blank of the keyboard without being it.
#include "base/base.h"

static const struct {
    unsigned first, last;
    const char *what;
} ranges[] = {{0x01, 0x1f, "a control character"},
              {0x7f, 0x9f, "a control character"},
              {0xa0, 0xa0, "a no-break space"},
              {0xad, 0xad, "a soft hyphen"},
              {0x34f, 0x34f, "an invisible joiner"},
              {0x61c, 0x61c, "a mark of direction"},
              {0x115f, 0x1160, "a blank that is not the ordinary one"},
              {0x1680, 0x1680, "a blank that is not the ordinary one"},
              {0x17b4, 0x17b5, "an invisible character"},
              {0x180b, 0x180f, "an invisible character"},
              {0x2000, 0x200a, "a blank that is not the ordinary one"},
              {0x200b, 0x200b, "a zero-width space"},
              {0x200c, 0x200d, "a zero-width joiner"},
              {0x200e, 0x200f, "a mark of direction"},
              {0x2028, 0x2029, "a separator of lines"},
              {0x202a, 0x202e, "a mark of direction"},
              {0x202f, 0x202f, "a no-break space"},
              {0x205f, 0x205f, "a blank that is not the ordinary one"},
              {0x2060, 0x206f, "an invisible character"},
              {0x2800, 0x2800, "a blank that is not the ordinary one"},
              {0x3000, 0x3000, "a blank that is not the ordinary one"},
              {0x3164, 0x3164, "a blank that is not the ordinary one"},
              {0xfe00, 0xfe0f, "a variation selector"},
              {0xfeff, 0xfeff, "a zero-width space"},
              {0xffa0, 0xffa0, "a blank that is not the ordinary one"},
              {0xfff0, 0xfffb, "an invisible character"},
              {0xfffe, 0xffff, "no character"},
              {0x1bca0, 0x1bca3, "an invisible character"},
              {0x1d173, 0x1d17a, "an invisible character"},
              {0xe0000, 0xe0fff, "an invisible character"}};

// The code point at p and its bytes; what is no UTF-8 is a byte by itself.
static int decode(const unsigned char *p, unsigned *c)
{
    static const unsigned char lead[] = {0xc0, 0xe0, 0xf0}, mask[] = {0x1f, 0x0f, 0x07};
    for (int n = 1; n <= 3; n++) {
        if (p[0] < lead[n - 1] || p[0] - lead[n - 1] > mask[n - 1]) continue;
        *c = p[0] & mask[n - 1];
        for (int i = 1; i <= n; i++) {
            if ((p[i] & 0xc0) != 0x80) {
                *c = 0;
                return 1;
            }
            *c = *c << 6 | (p[i] & 0x3fu);
        }
        return n + 1;
    }
    *c = p[0] < 0x80 ? p[0] : 0;
    return 1;
}

int hol_unseen_length(const char *text, unsigned *point, const char **what)
{
    unsigned c;
    const int n = decode((const unsigned char *)text, &c);
    for (int i = 0; i < HOL_COUNT(ranges); i++) {
        if (c < ranges[i].first || c > ranges[i].last) continue;
        *point = c;
        *what = ranges[i].what;
        return n;
    }
    return 0;
}

const char *hol_unseen_find(const char *text, size_t length, unsigned *point, const char **what)
{
    for (const char *p = text; p < text + length && *p; p++)
        if (hol_unseen_length(p, point, what)) return p;
    return NULL;
}
