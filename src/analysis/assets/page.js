"use strict";
// Shows the analysis that stands in the page as JSON. All text goes in as text
// nodes: names come from files.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const { width, height, moves } = data;
  const total = moves.length;
  const rates = data.black_win_rates;
  const PLAY_MS = 700;
  const GLYPHS = { inaccuracy: "?!", mistake: "?", blunder: "??" };
  const TITLES = {
    given: "Given", best: "Best move", good: "Good move",
    inaccuracy: "Inaccuracy", mistake: "Mistake", blunder: "Blunder",
  };
  const SIDES = ["black", "white"];
  const NAMES = { black: data.black || "Black", white: data.white || "White" };
  const COLOURS = { black: "Black", white: "White" };
  const LINE_MOVES = 10;
  const MOST_MOMENTS = 8;
  const state = { ply: 0, timer: 0, preview: null, touched: false };

  // ---- small helpers ----
  const { element, vector } = kit;
  const place = (name) => ({ x: name.charCodeAt(0) - 97, y: Number(name.slice(1)) - 1, name });
  const points = moves.map((move) => place(move.point));
  const isFault = (move) => move.grade in GLYPHS;
  const sideAt = (ply) => SIDES[ply % 2];
  const percent = (share) => `${Math.round(share * 100)}%`;

  // ---- board ----
  const row = (y) => height - 1 - y;
  function drawBoard() {
    byId("board").replaceChildren(kit.board(width, height, (x, y) => {
      const ply = points.findIndex((point) => point.x === x && point.y === y);
      goTo(ply >= 0 && ply < state.ply ? ply + 1 : state.ply + 1);
    }));
  }
  const stone = (point, isBlack, look) => kit.stone(point.x, row(point.y), isBlack, look);
  function betterMark(name) {
    const { x, y } = place(name);
    return vector("g", {},
      vector("circle", { cx: x, cy: row(y), r: .4, fill: "rgb(60 190 120 / .45)", stroke: "#16804a", "stroke-width": .1 }),
      vector("text", { class: "name", x, y: row(y) + .1, "text-anchor": "middle" }, name));
  }
  function comingMark(name) {
    const { x, y } = place(name);
    return vector("circle", {
      cx: x, cy: row(y), r: .27, fill: "rgb(80 130 230 / .3)", stroke: "#2b55a8",
      "stroke-width": .06, "stroke-dasharray": ".14 .1",
    });
  }
  function badge(point, grade) {
    const [cx, cy] = [point.x + .34, row(point.y) - .34];
    return vector("g", {},
      vector("circle", { class: `badge ${grade}`, cx, cy, r: .26, stroke: "#fff", "stroke-width": .05 }),
      vector("text", { class: "glyph", x: cx, y: cy + .11, "text-anchor": "middle" }, GLYPHS[grade]));
  }
  function drawStones() {
    const withNumbers = byId("numbers").checked;
    const preview = state.preview;
    const shown = preview ? preview.base : state.ply;
    const atFive = data.result.by === "five" && state.ply === total;
    const winning = atFive ? kit.winningRow(points) : new Set();
    const nodes = points.slice(0, shown).map((point, ply) => stone(point, ply % 2 === 0, {
      label: withNumbers && !preview ? String(ply + 1) : "",
      isLast: !preview && ply === state.ply - 1,
      wins: !preview && winning.has(`${point.x},${point.y}`),
    }));
    if (preview) {
      preview.line.slice(0, preview.count).forEach((name, index) => {
        nodes.push(stone(place(name), (shown + index) % 2 === 0, { label: String(index + 1), faint: true }));
      });
    } else {
      const last = moves[state.ply - 1];
      const next = moves[state.ply];
      if (byId("hints").checked) {
        const better = last && isFault(last) ? last.best : "";
        const coming = next ? next.best : last?.reply_line[0];
        if (coming && coming !== better) nodes.push(comingMark(coming));
        if (better) nodes.push(betterMark(better));
      }
      if (last && isFault(last)) nodes.push(badge(points[state.ply - 1], last.grade));
    }
    byId("stones").replaceChildren(...nodes);
  }

  // ---- curve ----
  const CURVE = { width: 400, height: 170, left: 36, right: 8, top: 8, bottom: 18 };
  const curveX = (ply) => CURVE.left + ply / Math.max(total, 1) * (CURVE.width - CURVE.left - CURVE.right);
  const curveY = (share) => CURVE.top + (1 - share) * (CURVE.height - CURVE.top - CURVE.bottom);
  function drawCurve() {
    CURVE.width = Math.max(byId("curve").clientWidth, 240);
    const svg = vector("svg", {
      viewBox: `0 0 ${CURVE.width} ${CURVE.height}`, role: "img", "aria-label": "chances of Black",
    });
    const right = CURVE.width - CURVE.right;
    const spots = rates.map((share, ply) => `${curveX(ply).toFixed(1)},${curveY(share).toFixed(1)}`);
    svg.append(vector("polygon", {
      class: "area",
      points: `${curveX(0)},${curveY(0)} ${spots.join(" ")} ${curveX(total).toFixed(1)},${curveY(0)}`,
    }));
    for (const share of [0, .25, .5, .75, 1]) {
      svg.append(vector("line", {
        class: share === .5 ? "zero" : "grid", x1: CURVE.left, x2: right, y1: curveY(share), y2: curveY(share),
      }));
      if (share % .5 === 0) {
        svg.append(vector("text", { class: "tick", x: CURVE.left - 6, y: curveY(share) + 4, "text-anchor": "end" },
          percent(share)));
      }
    }
    const step = [5, 10, 20, 50, 100].find((size) => total / size <= CURVE.width / 55) ?? 200;
    for (let ply = step; ply <= total; ply += step) {
      svg.append(vector("text", { class: "tick", x: curveX(ply), y: CURVE.height - 3, "text-anchor": "middle" }, String(ply)));
    }
    svg.append(vector("polyline", { class: "wire", points: spots.join(" ") }));
    svg.append(vector("line", { class: "cursor", id: "cursor", y1: CURVE.top, y2: CURVE.height - CURVE.bottom }));
    moves.forEach((move, index) => {
      if (!isFault(move)) return;
      svg.append(vector("circle", {
        class: `pip ${move.grade}`, cx: curveX(index + 1), cy: curveY(rates[index + 1]), r: 4.2,
      }, vector("title", {}, `${index + 1} ${move.point}: ${TITLES[move.grade].toLowerCase()}`)));
    });
    svg.addEventListener("click", (event) => {
      const box = svg.getBoundingClientRect();
      const x = (event.clientX - box.left) / box.width * CURVE.width;
      goTo(Math.round((x - CURVE.left) / (CURVE.width - CURVE.left - CURVE.right) * total));
    });
    byId("curve").replaceChildren(svg);
  }

  // ---- moves and words ----
  function drawMoves() {
    const cell = (index) => {
      const move = moves[index];
      if (!move) return element("span");
      const children = [element("span", { class: move.grade === "given" ? "given" : undefined }, move.point)];
      if (isFault(move)) children.push(element("b", { class: move.grade }, GLYPHS[move.grade]));
      children.push(element("small", {}, move.after.text));
      return element("button", { type: "button", "data-ply": index + 1 }, ...children);
    };
    const pairs = [];
    for (let index = 0; index < total; index += 2) {
      pairs.push(element("div", { class: "pair" }, element("span", {}, `${index + 1}`), cell(index), cell(index + 1)));
    }
    byId("moves").replaceChildren(...pairs);
  }
  // A line of moves after `base` stones, to be looked at on the board.
  function chips(base, line) {
    const shown = line.slice(0, LINE_MOVES);
    const box = element("div", { class: "chips" });
    shown.forEach((name, index) => {
      const chip = element("button", { type: "button", class: `chip ${sideAt(base + index)}` }, name);
      const show = () => preview(box, base, shown, index + 1);
      chip.addEventListener("pointerenter", (event) => { if (event.pointerType === "mouse") show(); });
      chip.addEventListener("focus", show);
      chip.addEventListener("click", show);
      box.append(chip);
    });
    box.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") endPreview(); });
    box.addEventListener("focusout", endPreview);
    return box;
  }
  function preview(box, base, line, count) {
    state.preview = { base, line, count };
    [...box.children].forEach((chip, index) => chip.classList.toggle("on", index < count));
    drawStones();
  }
  function endPreview() {
    if (!state.preview) return;
    state.preview = null;
    for (const chip of document.querySelectorAll(".chip.on")) chip.classList.remove("on");
    drawStones();
  }
  const sub = (text) => element("div", { class: "sub" }, text);
  function drawVerdict() {
    const nodes = [];
    const move = moves[state.ply - 1];
    const next = moves[state.ply];
    if (move) {
      const side = sideAt(state.ply - 1);
      nodes.push(element("div", { class: "top" },
        element("i", { class: `stone ${side}` }),
        `${state.ply}. ${COLOURS[side]} ${move.point}`,
        element("span", { class: `pill ${move.grade}` }, TITLES[move.grade]),
        element("span", { class: "change" }, ...(move.before.text === move.after.text
          ? [element("b", {}, move.after.text)]
          : [element("b", {}, move.before.text), " → ", element("b", {}, move.after.text)]))));
      if (move.remarks.length) nodes.push(element("p", {}, move.remarks.join(" ")));
      if (isFault(move)) {
        nodes.push(sub(`Instead of ${move.point}`), chips(state.ply - 1, move.best_line));
      }
      if (state.ply === total) nodes.push(element("p", {}, `${data.result.text}.`));
    } else {
      nodes.push(element("div", { class: "top" }, "The empty board"),
        element("p", {}, `${total} moves. Step through them with the keys ← and →, or go from mistake to mistake with ↓.`));
    }
    // The reply that was searched, which a later look may have bettered.
    const line = next ? next.best_line : move?.reply_line ?? [];
    if (line.length) nodes.push(sub(`${COLOURS[sideAt(state.ply)]}'s best from here`), chips(state.ply, line));
    byId("verdict").replaceChildren(...nodes);
  }
  function drawSummary() {
    const { black, white } = data.summary;
    const table = element("table", { class: "figures" });
    table.append(element("thead", {}, element("tr", {},
      element("td", {}, element("i", { class: "stone black" }), NAMES.black), element("th"),
      element("td", {}, NAMES.white, element("i", { class: "stone white" })))));
    const body = element("tbody");
    const line = (title, cells, kind) => body.append(element("tr", kind ? { class: kind } : {},
      element("td", {}, cells[0]), element("th", { scope: "row" }, title), element("td", {}, cells[1])));
    const accuracy = (side) => side.judged ? `${((1 - side.mean_loss) * 100).toFixed(1)}%` : "–";
    line("accuracy", [accuracy(black), accuracy(white)], "big");
    const loss = (side) => side.judged ? `${(side.mean_loss * 100).toFixed(1)}%` : "–";
    line("average loss", [loss(black), loss(white)]);
    const best = (side) => `${side.best} of ${side.judged}`;
    line("best moves", [best(black), best(white)]);
    const kinds = [
      ["inaccuracies", "inaccuracies", (move) => move.grade === "inaccuracy"],
      ["mistakes", "mistakes", (move) => move.grade === "mistake"],
      ["blunders", "blunders", (move) => move.grade === "blunder"],
      ["missed wins", "missed_wins", (move) => move.missed_win],
      ["overlooked threats", "overlooked_threats", (move) => move.overlooked_threat],
    ];
    for (const [title, field, fits] of kinds) {
      line(title, SIDES.map((side) => {
        const count = data.summary[side][field];
        if (!count) return element("span", { class: "none" }, "0");
        const button = element("button", { type: "button", title: "show the next one" }, String(count));
        button.addEventListener("click", () => nextWhere((move) => move.side === side && fits(move)));
        return button;
      }));
    }
    table.append(body);
    byId("summary").replaceChildren(table);
  }
  function drawMoments() {
    const worst = moves.filter(isFault).sort((a, b) => b.loss - a.loss).slice(0, MOST_MOMENTS);
    worst.sort((a, b) => a.number - b.number);
    const items = worst.map((move) => element("li", {}, element("button", { type: "button", "data-ply": move.number },
      element("span", { class: "where" }, element("i", { class: `stone ${move.side}` }), `${move.number} ${move.point}`),
      element("span", { class: "what" }, element("b", { class: move.grade }, TITLES[move.grade]), move.remarks.join(" ")),
      element("small", {}, `${move.before.text} → ${move.after.text}`))));
    byId("moments").replaceChildren(...(items.length ? items
      : [element("li", { class: "empty" }, "Nobody made a mistake.")]));
  }
  function drawHead() {
    const { engine } = data;
    const spent = [];
    if (engine.time_ms !== null) spent.push(`${engine.time_ms / 1000} s`);
    if (engine.nodes !== null) spent.push(`${engine.nodes.toLocaleString("en")} nodes`);
    const facts = [data.result.text, `${data.rule} ${width}×${height}`, `${total} moves`];
    byId("facts").replaceChildren(...facts.map((fact) => element("li", {}, fact)));
    const [low, middle, high] = ["inaccuracy", "mistake", "blunder"].map((kind) => percent(data.thresholds[kind]));
    byId("made").textContent = `${engine.name} ${engine.version} looked at every position with ${spent.join(" or ")}. `
      + "Per cent are chances to win, a move's for the side that makes it. "
      + `A move that loses ${low} of them is an inaccuracy, ${middle} a mistake, ${high} a blunder; `
      + "accuracy is what a move keeps on average. “win in 3” is forced: the winner makes 3 more moves.";
    SIDES.forEach((side) => { byId(side).querySelector(".who").textContent = NAMES[side]; });
  }

  // ---- where we are ----
  function drawPlayers() {
    SIDES.forEach((side, index) => {
      const box = byId(side);
      const over = state.ply === total;
      const won = over && data.result.winner === side;
      const faults = moves.slice(0, state.ply).filter((move) => move.side === side && isFault(move)).length;
      box.querySelector(".tally").textContent = won ? "won" : faults ? `${faults} ${faults === 1 ? "fault" : "faults"}` : "";
      box.classList.toggle("turn", !over && state.ply % 2 === index);
      box.classList.toggle("winner", won);
    });
    const share = rates[state.ply];
    const box = byId("chances");
    box.querySelector("b").style.width = `${share * 100}%`;
    box.querySelector("span").textContent = percent(share);
    box.querySelector("i").textContent = percent(1 - share);
    box.classList.toggle("low", share < .1);
    box.classList.toggle("high", share > .9);
    box.setAttribute("aria-label", `chances of Black: ${percent(share)}`);
  }
  function placeCursor() {
    const cursor = byId("cursor");
    cursor.setAttribute("x1", curveX(state.ply));
    cursor.setAttribute("x2", curveX(state.ply));
  }
  function goTo(ply) {
    state.ply = Math.max(0, Math.min(ply, total));
    state.preview = null;
    if (state.ply === total) stop();
    drawStones();
    drawPlayers();
    drawVerdict();
    byId("slider").value = state.ply;
    byId("fault").disabled = !moves.some(isFault);
    placeCursor();
    const box = byId("moves");
    for (const button of box.querySelectorAll("button")) {
      const isNow = button.dataset.ply === String(state.ply);
      button.classList.toggle("now", isNow);
      if (isNow) box.scrollTop = button.parentElement.offsetTop - box.offsetTop - box.clientHeight / 2;
    }
    if (state.ply === 0) box.scrollTop = 0;
    try {
      if (state.touched) history.replaceState(null, "", `#move=${state.ply}`);
    } catch {
      // Some viewers of local files forbid it; nothing depends on it.
    }
  }
  // Goes to the next move of a kind, from the beginning if none follows.
  function nextWhere(fits) {
    const after = moves.findIndex((move, index) => index >= state.ply && fits(move));
    const found = after >= 0 ? after : moves.findIndex(fits);
    if (found >= 0) goTo(found + 1);
  }
  function lastWhere(fits) {
    for (let index = state.ply - 2; index >= 0; index--) {
      if (fits(moves[index])) return goTo(index + 1);
    }
    return undefined;
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
    if (state.ply === total) goTo(0);
    state.timer = setInterval(() => goTo(state.ply + 1), PLAY_MS);
    markPlaying(true);
  }

  // ---- hands ----
  const KEYS = {
    ArrowLeft: () => goTo(state.ply - 1),
    ArrowRight: () => goTo(state.ply + 1),
    Home: () => goTo(0),
    End: () => goTo(total),
    ArrowUp: () => lastWhere(isFault),
    ArrowDown: () => nextWhere(isFault),
    " ": togglePlay,
    n: () => byId("numbers").click(),
    b: () => byId("hints").click(),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target;
    if (target.matches("input[type=range]")) return;
    if (event.key === " " && target.matches("button, input")) return;
    const act = KEYS[event.key];
    if (!act) return;
    event.preventDefault();
    state.touched = true;
    act();
  });
  document.addEventListener("pointerdown", () => { state.touched = true; });
  byId("first").addEventListener("click", KEYS.Home);
  byId("back").addEventListener("click", KEYS.ArrowLeft);
  byId("next").addEventListener("click", KEYS.ArrowRight);
  byId("last").addEventListener("click", KEYS.End);
  byId("fault").addEventListener("click", KEYS.ArrowDown);
  byId("play").addEventListener("click", togglePlay);
  byId("numbers").addEventListener("change", drawStones);
  byId("hints").addEventListener("change", drawStones);
  byId("slider").addEventListener("input", (event) => goTo(Number(event.target.value)));
  for (const id of ["moves", "moments"]) {
    byId(id).addEventListener("click", (event) => {
      const button = event.target.closest("[data-ply]");
      if (button) goTo(Number(button.dataset.ply));
    });
  }

  function openFromAddress() {
    const ply = new URLSearchParams(location.hash.slice(1)).get("move");
    // The worst move is what one wants to see first.
    const worst = moves.reduce((best, move) => move.loss > best.loss ? move : best, { loss: 0, number: total });
    goTo(ply === null ? worst.number : Number(ply) || 0);
  }
  byId("page").hidden = false;
  byId("slider").max = total;
  drawHead();
  drawBoard();
  drawCurve();
  drawMoves();
  drawSummary();
  drawMoments();
  openFromAddress();
  addEventListener("hashchange", openFromAddress);
  addEventListener("resize", () => {
    drawCurve();
    placeCursor();
  });
})();
