//! The page around tables, plots and games.

use super::summary::Summary;
use super::{ReportOptions, games, plots, tables};
use crate::collect::Collection;
use crate::export::date;
use crate::record::EventRecord;
use std::fmt::Write as _;
use yonsan::page::{self, Html};

const STYLE: &str = include_str!("assets/report.css");
const SCRIPT: &str = include_str!("assets/report.js");
const REPLAY: &str = include_str!("assets/replay.html");
/// Names of more players would not fit a title.
const MOST_NAMES: usize = 3;

/// Puts the page together.
pub fn assemble(collection: &Collection, summary: &Summary, options: &ReportOptions) -> String {
    let title = options.title.clone().unwrap_or_else(|| title_of(summary));
    let title = Html(&title);
    let mut html = format!(
        "{}<header><h1>{title}</h1>{}</header>\n<main>",
        page::head(&title, STYLE),
        facts(collection),
    );
    html.push_str(&figures(collection, summary));
    let (json, left_out) = games::to_json(collection, summary, options.max_replayed);
    html.push_str(REPLAY);
    if left_out > 0 {
        let _ = write!(
            html,
            "<p class=\"note\">The oldest {left_out} games are counted, but cannot be replayed \
             here.</p>"
        );
    }
    for event in &collection.events {
        html.push_str(&set_up(event));
    }
    let _ = write!(
        html,
        "</main>\n<footer>Made by arena {}. Ratings: Bradley-Terry, draws as half, about \
         the mean of the field unless some are held; errors: 95 %.</footer>\n{}",
        env!("CARGO_PKG_VERSION"),
        page::tail(&json, SCRIPT),
    );
    html
}

/// Tables and plots.
fn figures(collection: &Collection, summary: &Summary) -> String {
    let mut html = String::new();
    let is_match = summary.names.len() == 2;
    if is_match {
        html.push_str(&tables::match_figures(summary));
    }
    card(
        &mut html,
        "standings",
        "Standings",
        &tables::standings(summary),
    );
    if !is_match {
        card(
            &mut html,
            "cross",
            "Cross table",
            &tables::cross_table(summary),
        );
    }
    if let Some(plot) = plots::strength(collection, summary) {
        let heading = if is_match {
            "Elo over games"
        } else {
            "Ratings over games"
        };
        card(&mut html, "elo", heading, &plot);
    }
    html.push_str("<div class=\"two\">");
    if let Some(plot) = plots::time_use(collection, summary) {
        card(&mut html, "time", "Seconds a move", &plot);
    }
    let mut endings = tables::endings(summary);
    let overloaded = collection.games.iter().filter(|e| e.game.overloaded);
    match overloaded.count() {
        0 => {}
        count => {
            let _ = write!(
                endings,
                "<p class=\"note\">In {count} of the timeouts the machine was overloaded: fewer \
                 games at a time are wanted.</p>"
            );
        }
    }
    card(&mut html, "endings", "How games ended", &endings);
    html.push_str("</div>");
    html
}

fn card(html: &mut String, id: &str, heading: &str, content: &str) {
    let _ = writeln!(
        html,
        "<section class=\"card\" id=\"{id}\"><h2>{heading}</h2>{content}</section>"
    );
}

fn title_of(summary: &Summary) -> String {
    if summary.names.len() <= MOST_NAMES {
        summary.names.join(" – ")
    } else {
        format!("Tournament of {} engines", summary.names.len())
    }
}

/// One line of facts: rule, board, games, time, day.
fn facts(collection: &Collection) -> String {
    let mut facts: Vec<String> = Vec::new();
    let mut boards: Vec<String> = Vec::new();
    for entry in &collection.games {
        let game = &entry.game;
        let board = format!("{} {}×{}", game.rule, game.width, game.height);
        if !boards.contains(&board) {
            boards.push(board);
        }
    }
    facts.extend(boards);
    let planned: u64 = collection.events.iter().map(|event| event.game_count).sum();
    let played = collection.games.len() as u64;
    facts.push(if planned > played {
        format!("{played} of {planned} games")
    } else {
        format!("{played} games")
    });
    let thinking: u64 = collection.games.iter().map(|e| e.game.duration_ms).sum();
    if thinking > 0 {
        facts.push(format!("{} of play", long_time(thinking)));
    }
    let times = collection.games.iter().map(|e| e.game.started_unix);
    let times: Vec<u64> = times.filter(|&time| time > 0).collect();
    if let (Some(&first), Some(&last)) = (times.iter().min(), times.iter().max()) {
        let (first, last) = (date(first), date(last));
        facts.push(if first == last {
            first
        } else {
            format!("{first} to {last}")
        });
    }
    let items = facts.iter().map(|fact| format!("<li>{}</li>", Html(fact)));
    format!("<ul class=\"facts\">{}</ul>", items.collect::<String>())
}

/// Milliseconds as hours and minutes.
fn long_time(ms: u64) -> String {
    let minutes = ms / 60_000;
    match minutes {
        0 => format!("{} s", ms / 1000),
        1..60 => format!("{minutes} min"),
        _ => format!("{} h {} min", minutes / 60, minutes % 60),
    }
}

/// The whole configuration, folded.
fn set_up(event: &EventRecord) -> String {
    let config = serde_json::to_string_pretty(&event.config).unwrap_or_default();
    format!(
        "<details class=\"card\"><summary>Set-up of the event</summary><pre>{}</pre></details>\n",
        Html(&config)
    )
}
