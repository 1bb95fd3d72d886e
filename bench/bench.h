// Parts of `make bench`. Each returns 1 where a bound is missed.
#ifndef BENCH_H
#define BENCH_H

int bench_force(void);
int bench_nonstiff(void);

#endif
