// Random numbers that are the same on every machine: SplitMix64.
//     G. L. Steele, D. Lea, C. H. Flood, Fast splittable pseudorandom number generators, OOPSLA 2014,
//     figure 17.
#include "base/base.h"

#include <stdint.h>

double hol_random_uniform(hol_random *r)
{
    uint64_t z = r->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    // 52 bits and a half: symmetric about 0, exact, never -1 or 1.
    return ((double)(z >> 12) + 0.5) * 0x1p-51 - 1.0;
}
