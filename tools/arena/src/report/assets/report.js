"use strict";
// Replays the games of the page. All text goes in as text nodes: names and
// messages come from engines.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const games = data.games;
  const byId = (id) => document.getElementById(id);
  if (!games.length) {
    byId("replay").hidden = true;
    return;
  }
  const RESULTS = ["1–0", "0–1", "½–½"];
  const LIST_STEP = 300;
  const PLAY_MS = 550;
  // Scores at or above this are wins.
  const WIN_SCORE = 28000;
  const WIN_BASE = 30000;
  const state = { shown: [], limit: LIST_STEP, game: 0, ply: 0, timer: 0, points: [] };

  // ---- small helpers ----
  const { element, vector } = kit;
  function timeText(ms) {
    if (ms < 1000) return `${ms} ms`;
    return ms < 10000 ? `${(ms / 1000).toFixed(2)} s` : `${(ms / 1000).toFixed(1)} s`;
  }
  function scoreText(score) {
    if (Math.abs(score) >= WIN_SCORE) {
      const plies = WIN_BASE - Math.abs(score);
      return `${score > 0 ? "win" : "loss"} in ${plies}`;
    }
    return score > 0 ? `+${score}` : String(score).replace("-", "−");
  }
  function parseMoves(text) {
    const points = [];
    for (const [, letter, row] of text.matchAll(/([a-v])(\d{1,2})/g)) {
      points.push({ x: letter.charCodeAt(0) - 97, y: Number(row) - 1, name: letter + row });
    }
    return points;
  }
  const playerOf = (game, ply) => game.players[ply % 2];
  const colourOf = (engine) => `k${engine % 8}`;
  const current = () => games[state.game];

  // ---- list and filter ----
  function fillFilter() {
    data.engines.forEach((name, index) => {
      byId("by-engine").append(element("option", { value: index }, name));
    });
    const reasons = [...new Set(games.map((game) => game.reason))].sort();
    for (const reason of reasons) {
      byId("by-reason").append(element("option", { value: reason }, reason));
    }
    fillResults();
  }
  function fillResults() {
    const select = byId("by-result");
    const kept = select.value;
    const choices = [["", "any"], ["0", "Black won"], ["1", "White won"], ["2", "draw"]];
    if (byId("by-engine").value !== "") {
      choices.push(["won", "engine won"], ["lost", "engine lost"]);
    }
    select.replaceChildren(...choices.map(([value, text]) => element("option", { value }, text)));
    select.value = choices.some(([value]) => value === kept) ? kept : "";
  }
  function wanted(game) {
    const engine = byId("by-engine").value;
    const result = byId("by-result").value;
    const reason = byId("by-reason").value;
    if (reason && game.reason !== reason) return false;
    if (engine !== "" && !game.players.includes(Number(engine))) return false;
    if (result === "won" || result === "lost") {
      if (game.outcome === 2) return false;
      const winner = game.players[game.outcome];
      return (winner === Number(engine)) === (result === "won");
    }
    return result === "" || game.outcome === Number(result);
  }
  function filterGames() {
    state.shown = games.map((_, index) => index).filter((index) => wanted(games[index]));
    state.limit = LIST_STEP;
    const count = state.shown.length;
    byId("count").textContent = count === games.length
      ? `${count} games` : `${count} of ${games.length} games`;
    drawList();
    if (count && !state.shown.includes(state.game)) openGame(state.shown[0]);
  }
  function nameLine(game, side) {
    const name = data.engines[game.players[side]];
    return element("span", { class: game.outcome === side ? "won" : "" },
      `${side === 0 ? "●" : "○"} ${name}`);
  }
  function drawList() {
    const items = state.shown.slice(0, state.limit).map((index) => {
      const game = games[index];
      const names = element("span", { class: "names" }, nameLine(game, 0), nameLine(game, 1));
      const result = element("span", { class: "result" }, RESULTS[game.outcome],
        element("small", { class: game.failed ? "failed" : "" }, game.reason));
      const button = element("button", {
        type: "button", "data-game": index,
        "aria-current": index === state.game ? "true" : undefined,
      }, names, result);
      return element("li", {}, button);
    });
    if (state.shown.length > state.limit) {
      const rest = state.shown.length - state.limit;
      items.push(element("li", {}, element("button", { type: "button", class: "more" },
        `show more (${rest} left)`)));
    }
    if (!items.length) items.push(element("li", { class: "empty" }, "no such game"));
    byId("list").replaceChildren(...items);
  }
  function markCurrent() {
    for (const button of byId("list").querySelectorAll("button")) {
      const isCurrent = button.dataset.game === String(state.game);
      if (isCurrent) {
        button.setAttribute("aria-current", "true");
        const list = byId("list");
        const top = button.offsetTop - list.offsetTop;
        if (top < list.scrollTop || top + button.offsetHeight > list.scrollTop + list.clientHeight) {
          list.scrollTop = top - list.clientHeight / 3;
        }
      } else {
        button.removeAttribute("aria-current");
      }
    }
  }

  // ---- board ----
  function drawBoard(game) {
    byId("board").replaceChildren(kit.board(game.width, game.height, (x, y) => {
      const ply = state.points.findIndex((point) => point.x === x && point.y === y);
      const isShown = ply >= 0 && ply < state.ply;
      goTo(isShown ? ply + 1 : state.ply + 1);
    }));
  }
  function drawStones() {
    const game = current();
    const withNumbers = byId("numbers").checked;
    const isWon = state.ply === state.points.length && game.outcome !== 2 && !game.failed;
    const winning = isWon ? kit.winningRow(state.points) : new Set();
    const nodes = state.points.slice(0, state.ply).map((point, ply) =>
      kit.stone(point.x, game.height - 1 - point.y, ply % 2 === 0, {
        label: withNumbers ? String(ply + 1) : "",
        isLast: ply === state.ply - 1,
        wins: winning.has(`${point.x},${point.y}`),
      }));
    byId("stones").replaceChildren(...nodes);
  }

  // ---- curves ----
  // As wide as the page has room for: letters keep their size.
  const CURVE = { width: 400, height: 150, left: 36, right: 8, top: 10 };
  function fitCurves() {
    CURVE.width = Math.max(byId("moves").clientWidth, 240);
  }
  const flatten = (score) => Math.asinh(score / 60) / Math.asinh(WIN_BASE / 60);
  function curveX(ply) {
    const span = Math.max(state.points.length, 2);
    return CURVE.left + (ply - 1) / (span - 1) * (CURVE.width - CURVE.left - CURVE.right);
  }
  function clickable(svg) {
    svg.addEventListener("click", (event) => {
      const box = svg.getBoundingClientRect();
      const x = (event.clientX - box.left) / box.width * CURVE.width;
      const share = (x - CURVE.left) / (CURVE.width - CURVE.left - CURVE.right);
      goTo(Math.round(share * (Math.max(state.points.length, 2) - 1)) + 1);
    });
    svg.append(vector("line", { class: "cursor", y1: 0, y2: svg.viewBox.baseVal.height }));
    return svg;
  }
  function drawCurve() {
    const game = current();
    const { width, height, left, right } = CURVE;
    const middle = height / 2;
    const y = (score) => middle - flatten(score) * (middle - CURVE.top);
    const svg = vector("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "scores" });
    for (const [score, text] of [[WIN_BASE, "win"], [500, "+500"], [0, "0"], [-500, "−500"], [-WIN_BASE, "loss"]]) {
      svg.append(vector("line", { class: score ? "grid" : "zero", x1: left, x2: width - right, y1: y(score), y2: y(score) }));
      svg.append(vector("text", { class: "tick", x: left - 5, y: y(score) + 3.5, "text-anchor": "end" }, text));
    }
    let told = false;
    for (const side of [0, 1]) {
      const engine = game.players[side];
      const places = [];
      for (let ply = side; ply < state.points.length; ply += 2) {
        const score = game.scores[ply];
        if (score === null) continue;
        told = true;
        places.push([curveX(ply + 1), y(side === 0 ? score : -score)]);
      }
      const pointsText = places.map(([x, py]) => `${x.toFixed(1)},${py.toFixed(1)}`).join(" ");
      const style = { class: `wire ${colourOf(engine)}`, points: pointsText };
      if (side === 1) style["stroke-dasharray"] = "5 3";
      svg.append(vector("polyline", style));
      if (places.length === 1) svg.append(vector("circle", { class: `pip ${colourOf(engine)}`, cx: places[0][0], cy: places[0][1], r: 3 }));
    }
    if (!told) {
      byId("curve").replaceChildren(element("p", { class: "empty" }, "No engine told a score."));
      return;
    }
    const legend = element("ul", { class: "legend" }, ...[0, 1].map((side) => element("li", {},
      element("i", { class: `key ${colourOf(game.players[side])}` }),
      `${side ? "○" : "●"} ${data.engines[game.players[side]]}`)));
    byId("curve").replaceChildren(clickable(svg), legend);
  }
  function drawClock() {
    const game = current();
    const height = 70;
    const most = Math.max(...game.times, 1);
    const svg = vector("svg", { viewBox: `0 0 ${CURVE.width} ${height}`, role: "img", "aria-label": "times" });
    const room = (CURVE.width - CURVE.left - CURVE.right) / Math.max(state.points.length, 2);
    const thick = Math.max(Math.min(room * .7, 14), 1);
    game.times.forEach((ms, ply) => {
      if (ply >= state.points.length || ply < game.given) return;
      const tall = Math.max(ms / most * (height - 8), .6);
      svg.append(vector("rect", {
        class: colourOf(playerOf(game, ply)), x: curveX(ply + 1) - thick / 2, y: height - 2 - tall,
        width: thick, height: tall, opacity: .85,
      }));
    });
    svg.append(vector("line", { class: "middle", x1: CURVE.left, x2: CURVE.width - CURVE.right, y1: height - 1.5, y2: height - 1.5 }));
    svg.append(vector("text", { class: "tick", x: CURVE.left - 5, y: 13, "text-anchor": "end" },
      most >= 1000 ? `${(most / 1000).toFixed(1)} s` : `${most} ms`));
    byId("clock").replaceChildren(clickable(svg));
  }
  function drawMoves() {
    const game = current();
    byId("moves").replaceChildren(...state.points.flatMap((point, ply) => {
      const span = element("span", {
        "data-ply": ply + 1, class: ply < game.given ? "given" : undefined,
      }, element("sup", {}, String(ply + 1)), point.name);
      return [span, " "];
    }));
  }

  // ---- where we are ----
  function statusText() {
    const game = current();
    const total = state.points.length;
    if (state.ply === 0) {
      const opening = game.given ? `, ${game.given} stones given` : "";
      return `Game ${game.n}: ${total} moves${opening}${game.opening ? ` (${game.opening})` : ""}.`;
    }
    const ply = state.ply - 1;
    const parts = [`Move ${state.ply} of ${total}: ${ply % 2 ? "White" : "Black"} ${state.points[ply].name}`];
    if (ply < game.given) {
      parts.push("opening");
    } else {
      parts.push(timeText(game.times[ply] ?? 0));
      if (game.scores[ply] !== null) parts.push(`score ${scoreText(game.scores[ply])}`);
      if (game.depths[ply] !== null) parts.push(`depth ${game.depths[ply]}`);
    }
    let text = parts.join(", ") + ".";
    if (state.ply === total) {
      const end = game.outcome === 2 ? "Draw" : `${data.engines[game.players[game.outcome]]} won`;
      text += ` ${end}: ${game.reason}${game.detail ? ` (${game.detail})` : ""}.`;
    }
    return text;
  }
  function drawPlayers() {
    const game = current();
    ["black", "white"].forEach((id, side) => {
      const box = byId(id);
      box.querySelector(".who").textContent = data.engines[game.players[side]];
      let spent = 0;
      for (let ply = side; ply < state.ply; ply += 2) spent += game.times[ply] ?? 0;
      const over = state.ply === state.points.length;
      const won = over && game.outcome === side;
      box.querySelector(".clock").textContent = (won ? "won · " : "") + timeText(spent);
      box.classList.toggle("turn", !over && state.ply % 2 === side);
      box.classList.toggle("winner", won);
    });
  }
  function goTo(ply) {
    state.ply = Math.max(0, Math.min(ply, state.points.length));
    if (state.ply === state.points.length) stop();
    drawStones();
    drawPlayers();
    byId("slider").value = state.ply;
    byId("status").textContent = statusText();
    for (const line of document.querySelectorAll(".side .cursor")) {
      const x = curveX(Math.max(state.ply, 1));
      line.setAttribute("x1", x);
      line.setAttribute("x2", x);
    }
    const box = byId("moves");
    for (const span of box.children) {
      const isNow = span.dataset.ply === String(state.ply);
      span.classList.toggle("now", isNow);
      if (isNow) box.scrollTop = span.offsetTop - box.offsetTop - box.clientHeight / 2;
    }
    try {
      const place = `#game=${state.game + 1}&move=${state.ply}`;
      if (state.touched) history.replaceState(null, "", place);
    } catch {
      // Some viewers of local files forbid it; nothing depends on it.
    }
  }
  function openGame(index, ply) {
    stop();
    state.game = index;
    const game = current();
    state.points = parseMoves(game.moves);
    byId("slider").max = state.points.length;
    drawBoard(game);
    fitCurves();
    drawCurve();
    drawClock();
    drawMoves();
    const lines = byId("lines");
    lines.hidden = !game.lines;
    lines.textContent = (game.lines ?? []).join("\n");
    markCurrent();
    goTo(ply ?? state.points.length);
  }
  function openNeighbour(step) {
    const place = state.shown.indexOf(state.game) + step;
    if (place < 0 || place >= state.shown.length) return;
    if (place >= state.limit) {
      state.limit += LIST_STEP;
      drawList();
    }
    openGame(state.shown[place]);
  }
  function markPlaying(playing) {
    byId("play").classList.toggle("playing", playing);
    byId("play").setAttribute("aria-label", playing ? "pause" : "play");
  }
  function stop() {
    clearInterval(state.timer);
    state.timer = 0;
    markPlaying(false);
  }
  function togglePlay() {
    if (state.timer) {
      stop();
      return;
    }
    if (state.ply === state.points.length) goTo(current().given);
    state.timer = setInterval(() => goTo(state.ply + 1), PLAY_MS);
    markPlaying(true);
  }

  // ---- hands ----
  const KEYS = {
    ArrowLeft: () => goTo(state.ply - 1),
    ArrowRight: () => goTo(state.ply + 1),
    Home: () => goTo(0),
    End: () => goTo(state.points.length),
    ArrowUp: () => openNeighbour(-1),
    ArrowDown: () => openNeighbour(1),
    " ": togglePlay,
    n: () => byId("numbers").click(),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target;
    if (target.matches("select, input[type=range]")) return;
    if (event.key === " " && target.matches("button, input, summary")) return;
    // Elsewhere on the page these keys scroll.
    const scrolls = ["ArrowUp", "ArrowDown", "Home", "End", " "].includes(event.key);
    if (scrolls && !byId("replay").contains(target)) return;
    const act = KEYS[event.key];
    if (!act) return;
    event.preventDefault();
    state.touched = true;
    act();
  });
  document.addEventListener("pointerdown", () => { state.touched = true; });
  byId("first").addEventListener("click", () => goTo(0));
  byId("back").addEventListener("click", () => goTo(state.ply - 1));
  byId("next").addEventListener("click", () => goTo(state.ply + 1));
  byId("last").addEventListener("click", () => goTo(state.points.length));
  byId("play").addEventListener("click", togglePlay);
  byId("numbers").addEventListener("change", drawStones);
  byId("slider").addEventListener("input", (event) => goTo(Number(event.target.value)));
  byId("moves").addEventListener("click", (event) => {
    const span = event.target.closest("[data-ply]");
    if (span) goTo(Number(span.dataset.ply));
  });
  byId("list").addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.classList.contains("more")) {
      state.limit += LIST_STEP;
      drawList();
    } else {
      openGame(Number(button.dataset.game));
    }
  });
  byId("filter").addEventListener("submit", (event) => event.preventDefault());
  byId("by-engine").addEventListener("change", () => { fillResults(); filterGames(); });
  byId("by-result").addEventListener("change", filterGames);
  byId("by-reason").addEventListener("change", filterGames);

  function openFromAddress() {
    const place = new URLSearchParams(location.hash.slice(1));
    const index = Number(place.get("game")) - 1;
    if (!games[index]) return false;
    openGame(index, place.has("move") ? Number(place.get("move")) : undefined);
    return true;
  }
  fillFilter();
  filterGames();
  if (!openFromAddress()) openGame(0);
  addEventListener("hashchange", openFromAddress);
  addEventListener("resize", () => {
    fitCurves();
    drawCurve();
    drawClock();
    goTo(state.ply);
  });
})();
