// Private to signal_groups.c: the columns that each kind of object has in results, with their units, and how rows between steps have them.
#ifndef HOL_SIGNAL_COLUMNS_H
#define HOL_SIGNAL_COLUMNS_H

#include "analysis/signal_groups.h"

static const hol_column_name planar_body[] = {{"x", "m", "position, x", HOL_HAD_MOTION},
                                              {"y", "m", "position, y", HOL_HAD_MOTION},
                                              {"theta", "rad", "angle", HOL_HAD_MOTION},
                                              {"vx", "m/s", "velocity, x", HOL_HAD_MOTION},
                                              {"vy", "m/s", "velocity, y", HOL_HAD_MOTION},
                                              {"omega", "rad/s", "angular velocity", HOL_HAD_MOTION},
                                              {"ax", "m/s^2", "acceleration, x", HOL_HAD_SOLVED},
                                              {"ay", "m/s^2", "acceleration, y", HOL_HAD_SOLVED},
                                              {"alpha", "rad/s^2", "angular acceleration", HOL_HAD_SOLVED}};
static const hol_column_name spatial_body[] = {{"x", "m", "position, x", HOL_HAD_MOTION},
                                               {"y", "m", "position, y", HOL_HAD_MOTION},
                                               {"z", "m", "position, z", HOL_HAD_MOTION},
                                               {"qw", "", "Euler parameter e0 (scalar)", HOL_HAD_MOTION},
                                               {"qx", "", "Euler parameter e1", HOL_HAD_MOTION},
                                               {"qy", "", "Euler parameter e2", HOL_HAD_MOTION},
                                               {"qz", "", "Euler parameter e3", HOL_HAD_MOTION},
                                               {"vx", "m/s", "velocity, x", HOL_HAD_MOTION},
                                               {"vy", "m/s", "velocity, y", HOL_HAD_MOTION},
                                               {"vz", "m/s", "velocity, z", HOL_HAD_MOTION},
                                               {"wx", "rad/s", "angular velocity, x", HOL_HAD_MOTION},
                                               {"wy", "rad/s", "angular velocity, y", HOL_HAD_MOTION},
                                               {"wz", "rad/s", "angular velocity, z", HOL_HAD_MOTION},
                                               {"ax", "m/s^2", "acceleration, x", HOL_HAD_SOLVED},
                                               {"ay", "m/s^2", "acceleration, y", HOL_HAD_SOLVED},
                                               {"az", "m/s^2", "acceleration, z", HOL_HAD_SOLVED},
                                               {"alx", "rad/s^2", "angular acceleration, x", HOL_HAD_SOLVED},
                                               {"aly", "rad/s^2", "angular acceleration, y", HOL_HAD_SOLVED},
                                               {"alz", "rad/s^2", "angular acceleration, z", HOL_HAD_SOLVED}};
static const hol_column_name planar_point[] = {
    {"x", "m", "position, x", HOL_HAD_MOTION},          {"y", "m", "position, y", HOL_HAD_MOTION},
    {"vx", "m/s", "velocity, x", HOL_HAD_MOTION},       {"vy", "m/s", "velocity, y", HOL_HAD_MOTION},
    {"ax", "m/s^2", "acceleration, x", HOL_HAD_SOLVED}, {"ay", "m/s^2", "acceleration, y", HOL_HAD_SOLVED}};
static const hol_column_name spatial_point[] = {
    {"x", "m", "position, x", HOL_HAD_MOTION},          {"y", "m", "position, y", HOL_HAD_MOTION},
    {"z", "m", "position, z", HOL_HAD_MOTION},          {"vx", "m/s", "velocity, x", HOL_HAD_MOTION},
    {"vy", "m/s", "velocity, y", HOL_HAD_MOTION},       {"vz", "m/s", "velocity, z", HOL_HAD_MOTION},
    {"ax", "m/s^2", "acceleration, x", HOL_HAD_SOLVED}, {"ay", "m/s^2", "acceleration, y", HOL_HAD_SOLVED},
    {"az", "m/s^2", "acceleration, z", HOL_HAD_SOLVED}};
static const hol_column_name planar_reaction[] = {{"Fx", "N", "force, x", HOL_HAD_SOLVED},
                                                  {"Fy", "N", "force, y", HOL_HAD_SOLVED},
                                                  {"T", "N m", "torque", HOL_HAD_SOLVED}};
static const hol_column_name spatial_reaction[] = {
    {"Fx", "N", "force, x", HOL_HAD_SOLVED},    {"Fy", "N", "force, y", HOL_HAD_SOLVED},
    {"Fz", "N", "force, z", HOL_HAD_SOLVED},    {"Tx", "N m", "torque, x", HOL_HAD_SOLVED},
    {"Ty", "N m", "torque, y", HOL_HAD_SOLVED}, {"Tz", "N m", "torque, z", HOL_HAD_SOLVED}};
static const hol_column_name
    turning[] = {{"torque", "N m", "torque on the joint's coordinate", HOL_HAD_EVALUATED},
                 {"power", "W", "what it gives, below 0: takes", HOL_HAD_EVALUATED},
                 {"saturated", "",
                  "of a motor with `max`: 1 where more is asked of it than that, -1 the other way, else 0",
                  HOL_HAD_EVALUATED}},
    sliding[] = {{"force", "N", "force on the joint's coordinate", HOL_HAD_EVALUATED},
                 {"power", "W", "what it gives, below 0: takes", HOL_HAD_EVALUATED},
                 {"saturated", "",
                  "of a motor with `max`: 1 where more is asked of it than that, -1 the other way, else 0",
                  HOL_HAD_EVALUATED}};
static const hol_column_name
    driving_turn[] = {{"torque", "N m", "torque of a driver on its angle, above 0: drives it up",
                       HOL_HAD_SOLVED},
                      {"power", "W", "what it gives, below 0: takes", HOL_HAD_SOLVED}},
    driving_slide[] = {
        {"force", "N", "force of a driver on its stroke or distance, above 0: drives it up", HOL_HAD_SOLVED},
        {"power", "W", "what it gives, below 0: takes", HOL_HAD_SOLVED}};
static const hol_column_name locking_turn[] = {{"torque", "N m",
                                                "torque of a lock on its angle, above 0: drives it up",
                                                HOL_HAD_SOLVED}},
                             locking_slide[] = {{"force", "N",
                                                 "force of a lock on its stroke, above 0: drives it up",
                                                 HOL_HAD_SOLVED}};
static const hol_column_name
    stopping_turn[] = {{"torque", "N m",
                        "torque of hard limits on the joint's coordinate, while it rests there",
                        HOL_HAD_SOLVED},
                       {"power", "W", "what it gives: nothing but errors", HOL_HAD_SOLVED}},
    stopping_slide[] = {{"force", "N", "force of hard limits on the joint's coordinate, while it rests there",
                         HOL_HAD_SOLVED},
                        {"power", "W", "what it gives: nothing but errors", HOL_HAD_SOLVED}};
static const hol_column_name energies[] = {
    {"kinetic", "J", "kinetic energy", HOL_HAD_EVALUATED},
    {"potential", "J",
     "potential energy: of weight and of springs, those of joints, stops, bushings, beams and tyres too",
     HOL_HAD_EVALUATED},
    {"total", "J", "kinetic and potential energy", HOL_HAD_EVALUATED},
    {"work", "J", "work of what is not conservative, from the start", HOL_HAD_STEP},
    {"contact_damping", "J", "what the damping of contacts has taken, from the start", HOL_HAD_STEP},
    {"contact_friction", "J", "what the friction of contacts has taken, from the start", HOL_HAD_STEP}};
enum { CONTACT_ENERGIES = 2 }; // the last of them
static const hol_column_name violations[] = {
    {"position", "", "largest violation of a joint, by natural size", HOL_HAD_EVALUATED},
    {"velocity", "", "largest violation of a joint's velocity, by natural size", HOL_HAD_EVALUATED},
    {"rate", "", "largest violation of a velocity constraint, by natural length and time",
     HOL_HAD_EVALUATED}};
static const hol_column_name multipliers[] = {{"lambda", "", "multiplier of the constraint", HOL_HAD_SOLVED}},
                             of_turns[] = {{"lambda", "N m", "multiplier of the row of angles",
                                            HOL_HAD_SOLVED}},
                             of_strokes[] = {{"lambda", "N",
                                              "multiplier of the row of strokes, and angles with them",
                                              HOL_HAD_SOLVED}};
static const hol_column_name variable[] = {{"", "", "variable", HOL_HAD_EVALUATED}},
                             state[] = {{"", "", "state", HOL_HAD_MOTION}},
                             input[] = {{"", "", "input or tunable parameter", HOL_HAD_EVALUATED}};
static const hol_column_name steps[] = {
    {"size", "s", "size of the step that led here", HOL_HAD_STEP},
    {"newton", "", "Newton iterations of that step", HOL_HAD_STEP},
    {"error", "", "its local error in units of the tolerance (0 with fixed steps)", HOL_HAD_STEP},
    {"limit", "",
     "what limited it: 0 error, 1 failed attempts, 2 max_step, 3 end, 4 fixed, 5 event, 6 singular pose, "
     "7 stability",
     HOL_HAD_STEP},
};

static const hol_column_name fastest[] = {
    {"", "rad/s", "fastest vibration of the tangent", HOL_HAD_EVALUATED}};

#endif
