#!/bin/sh
# A tour of the program: simulates two models, prints a table, draws pictures. Results go to out/.
#     tools/demo.sh [PROGRAM]         default: build/bin/holonom
set -eu
cd "$(dirname "$0")/.."
holonom=${1:-build/bin/holonom}
mkdir -p out

# Shows a command, then runs it.
show() {
    echo "\$ holonom $*"
    "$holonom" "$@"
    echo
}

# value FILE.json KEY
value() {
    sed -n "s/^ *\"$2\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}\$/\1/p" "$1"
}

line() {
    s=out/$1.json
    printf '%-16s %-9s %7d %14.2e %12.2e %9.4f\n' "$1" "$(value "$s" method)" "$(value "$s" steps)" \
        "$(value "$s" energy_drift_max)" "$(value "$s" max_position_violation)" "$(value "$s" cpu_seconds)"
}

show check models/four_bar.yaml
show run models/four_bar.yaml --out out/four_bar.csv --stats out/four_bar.json
show run models/double_pendulum.yaml --out out/double_pendulum.csv --stats out/double_pendulum.json

printf '%-16s %-9s %7s %14s %12s %9s\n' model method steps 'energy drift/J' violation CPU/s
line four_bar
line double_pendulum
echo
if ! command -v gnuplot >/dev/null; then
    echo "demo: gnuplot is not installed, so there are no pictures"
    exit 0
fi
draw() { # RESULT PICTURE SIGNALS
    for kind in svg png; do
        "$holonom" plot "out/$1.csv" --signals "$3" --out "out/$2.$kind"
    done
}
draw four_bar four_bar crank0.tip.x,crank0.tip.y,energy.kinetic,energy.potential,energy.total
draw double_pendulum double_pendulum rod1.theta,rod2.theta,rod1.omega,rod2.omega
draw double_pendulum double_pendulum_energy energy.total,energy.work
