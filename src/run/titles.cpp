// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "options/json.hpp"
#include "run/start_report.hpp"

namespace tessera::program {
namespace {

// In the order of the documents. `*` stands for a part of a name, and in a title for the same part; of several patterns
// the longest one holds.
constexpr const char* known_titles = R"({"titles": {
"height_mean": "mean height $\\bar{h}$", "roughness": "roughness $W^2$", "moment_3": "third moment $m_3$",
"moment_4": "fourth moment $m_4$", "skewness": "skewness $S$", "kurtosis": "kurtosis $Q$",
"step_fraction": "step fraction", "energy": "energy $E$", "energy_2": "squared energy $E^2$",
"magnetisation": "magnetisation $m$", "magnetisation_abs": "magnetisation $|m|$",
"magnetisation_2": "magnetisation $m^2$", "magnetisation_4": "magnetisation $m^4$",
"fraction_*": "fraction of state *", "order": "order parameter $m$", "order_2": "order parameter $m^2$",
"order_4": "order parameter $m^4$", "binder_cumulant": "Binder cumulant $U$",
"susceptibility": "susceptibility $\\chi$", "specific_heat": "specific heat $c$", "coverage": "coverage $\\theta$",
"bonds": "bonds per site", "step_density": "step density", "adatom_density": "adatom density",
"island_density": "island density", "events": "events", "hops": "hops", "adsorptions": "adsorptions",
"desorptions": "desorptions", "depositions": "depositions", "accepted_steps": "accepted steps",
"rejected_steps": "rejected steps", "repaired_tiles": "repaired tiles", "step_size": "step size $\\Delta t$",
"velocity": "velocity $v$", "pressure": "pressure $P$", "contact_value": "contact value $g(\\sigma^+)$",
"psi6": "orientational order $|\\psi_6|$", "samples": "samples", "acceptance": "acceptance",
"move_radius": "move radius", "fit_r_max": "upper end $r_\\mathrm{max}$ of the fit", "fit_bias": "bias of the fit",
"psi6_2": "orientational order $|\\psi_6|^2$", "psi6_4": "orientational order $|\\psi_6|^4$",
"psi6_re": "Re $\\psi_6$", "psi6_im": "Im $\\psi_6$",
"disk_variance_*": "variance of $N_b$ over its mean, * $\\times$ * blocks", "turnover_*_rate": "TOF of *",
"turnover_*": "turnovers of *", "events_*_rate": "rate of *", "events_*": "events of *",
"peak_T_*": "peak temperature of *", "peak_rate_*": "peak desorption rate of *", "coverage_*": "coverage of *",
"coverage_*_*": "coverage of *, *", "coverage_empty": "empty sites", "coverage_empty_*": "empty sites, *",
"configurations_*": "configurations *", "molecules_*": "molecules of *"
}, "counters": [
"moment_3", "moment_4", "energy_2", "magnetisation_2", "magnetisation_4", "order_2", "order_4", "events", "hops",
"adsorptions", "desorptions", "depositions", "samples", "psi6_2", "psi6_4", "move_radius", "fit_r_max", "fit_bias",
"accepted_steps", "rejected_steps", "repaired_tiles", "step_size", "turnover_*", "events_*_rate", "events_*"
], "other_titles": {
"pair_distribution": "$g(r)$", "g": "$g(r)$", "g6": "$g_6(r)$", "S": "$S(q)$", "beta_eff": "$\\beta_\\mathrm{eff}$",
"step": "$\\Delta t$", "height_autocorrelation_*": "$C_h(t, s = *)$", "slope_autocorrelation_*": "$C_s(t, s = *)$",
"lambda_eff_height_*": "$\\lambda_\\mathrm{eff} / z$ of $C_h(t, s = *)$",
"lambda_eff_slope_*": "$\\lambda_\\mathrm{eff} / z$ of $C_s(t, s = *)$",
"structure_factor_*_x": "$S(k)$ along $x$ of *", "structure_factor_*_y": "$S(k)$ along $y$ of *",
"structure_factor_x": "$S(k)$ along $x$", "structure_factor_y": "$S(k)$ along $y$"
}})";

}  // namespace

Json titles() { return Json::parse(known_titles); }

}  // namespace tessera::program
