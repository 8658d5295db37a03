//! Plays the transcripts in `tests/data/protocol` against the real program.
//! `common/transcript.rs` says what the lines of a transcript mean.

#[path = "common/transcript.rs"]
mod player;

use player::play;
use std::fs;
use std::path::Path;

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/protocol");
/// One test for each transcript, and the list of their names.
macro_rules! transcripts {
    ($($test:ident $name:literal)*) => {
        const TRANSCRIPTS: &[&str] = &[$($name),*];

        mod transcript {
            $(#[test]
            fn $test() {
                super::play_file($name);
            })*
        }
    };
}

transcripts! {
    start_sizes "01_start_sizes"
    start_bad "02_start_bad"
    begin "03_begin"
    turn_first "04_turn_first"
    board_normal "05_board_normal"
    board_empty "06_board_empty"
    board_odd_colors "07_board_odd_colors"
    board_any_order "08_board_any_order"
    board_field3 "09_board_field3"
    restart "10_restart"
    takeback "11_takeback"
    takeback_bad "12_takeback_bad"
    rectstart "13_rectstart"
    about "14_about"
    info_malformed "15_info_malformed"
    info_unknown "15_info_unknown"
    unknown "16_unknown"
    garbage "17_garbage"
    long_line "18_long_line"
    line_ends "19_line_ends"
    line_end_cr "20_line_end_cr"
    case_and_spaces "21_case_and_spaces"
    turn_bad "22_turn_bad"
    before_start "23_before_start"
    board_duplicates "24_board_duplicates"
    board_bad_lines "25_board_bad_lines"
    end_while_thinking "26_end_while_thinking"
    end_idle_and_eof "27_end_idle_and_eof"
    timeout_turn_zero "28_timeout_turn_zero"
    time_left "29_time_left"
    stop_by_info "30_stop_by_info"
    commands_while_thinking "31_commands_while_thinking"
    suspended "32_suspended"
    rule0_freestyle "33_rule0_freestyle"
    rule1_standard "34_rule1_standard"
    rule4_renju "35_rule4_renju"
    rule8_caro "36_rule8_caro"
    rule9_caro_exact "37_rule9_caro_exact"
    swap2_first "38_swap2_first"
    swap2_three "39_swap2_three"
    swap2_five "40_swap2_five"
    yx_board_nbest_stop "41_yx_board_nbest_stop"
    yx_showforbid "42_yx_showforbid"
    yx_session "43_yx_session"
    yx_balance "44_yx_balance"
    board_one_line "45_board_one_line"
    suggest_play "46_suggest_play"
    runner_session "47_runner_session"
    no_gap "48_no_gap"
    rule_switch "49_rule_switch"
    last_point "50_last_point"
    node_depth_limit "51_node_depth_limit"
    settings_stay "52_settings_stay"
    block_without_done "53_block_without_done"
    takeback_any_order "54_takeback_any_order"
    rectangle "55_rectangle"
    memory_values "56_memory_values"
    no_time_given "57_no_time_given"
    yx_blocks "58_yx_blocks"
    begin_with_stones "59_begin_with_stones"
    all_at_once "60_all_at_once"
    last_line "61_last_line"
    info_while_thinking "62_info_while_thinking"
    live_display "63_live_display"
    play "64_play"
    full_board "65_full_board"
    rule_codes "66_rule_codes"
    suspended_everywhere "67_suspended_everywhere"
    input_ends_idle "68_input_ends_idle"
    time_not_told_again "69_time_not_told_again"
    yx_best_lines "70_yx_best_lines"
    yx_blocked_points "71_yx_blocked_points"
    yx_balance_formats "72_yx_balance_formats"
    yx_search_defend "73_yx_search_defend"
    yx_hash_files "74_yx_hash_files"
    pondering "75_pondering"
    levels "76_levels"
    yx_database "77_yx_database"
    live_moves "78_live_moves"
    swap2_sizes "80_swap2_sizes"
    swap2_bad "81_swap2_bad"
    swap2_hurry "82_swap2_hurry"
    swap2_clear "83_swap2_clear"
    continuous "84_continuous"
    yx_swap2 "85_yx_swap2"
    qpiskvork_swap2 "86_qpiskvork_swap2"
    qpiskvork_pause "87_qpiskvork_pause"
}

#[test]
fn every_transcript_has_a_test() {
    let mut files: Vec<String> = fs::read_dir(DATA)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    let mut names: Vec<String> = TRANSCRIPTS.iter().map(|n| format!("{n}.txt")).collect();
    names.sort();
    assert_eq!(files, names);
}

#[test]
fn transcripts_can_fail() {
    for (text, failure) in [
        ("> START 15\n< YES", "line 2: got \"OK\""),
        ("> START 15\n< O", "line 2: got \"OK\""),
        ("! max 300\n< OK", "line 2: no answer within 300 ms"),
        ("> START 15\n! none 2000", "line 2: got \"OK\""),
        ("> START 15", "at the end: got \"OK\""),
        (
            "> START 15\n! max 300\n<< MESSAGE x",
            "line 3: no such message",
        ),
        ("! exit 200", "line 1: still running"),
        ("> END\n! exit 2000\n! alive", "line 3: not running"),
        ("> END\n< OK", "line 2: the process has ended"),
        ("hello", "line 1: unknown line"),
        ("! dance", "line 1: unknown directive"),
    ] {
        let got = play("can_fail", text).expect_err(text);
        assert!(got.starts_with(failure), "{text:?} failed with {got:?}");
    }
}

fn play_file(name: &str) {
    let text = fs::read_to_string(Path::new(DATA).join(format!("{name}.txt"))).unwrap();
    if let Err(failure) = play(name, &text) {
        panic!("{name}: {failure}");
    }
}
