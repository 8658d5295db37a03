"use strict";
// What all pages with a board have in common: making elements, drawing the
// board and its stones. Points have x and y from 0, y upwards.
const kit = (() => {
  function fill(node, attributes, children) {
    for (const [key, value] of Object.entries(attributes)) {
      if (value !== undefined) node.setAttribute(key, value);
    }
    node.append(...children);
    return node;
  }
  const element = (name, attributes = {}, ...children) =>
    fill(document.createElement(name), attributes, children);
  const vector = (name, attributes = {}, ...children) =>
    fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);

  function starPoints(width, height) {
    const offsets = (side) => {
      if (side < 9) return [];
      const edge = side < 13 ? 2 : 3;
      return [edge, side - 1 - edge];
    };
    const stars = [];
    for (const x of offsets(width)) for (const y of offsets(height)) stars.push([x, y]);
    if (width % 2 && height % 2) stars.push([(width - 1) / 2, (height - 1) / 2]);
    return stars;
  }
  // A board without stones, with a group "stones" for them; `pick(x, y)` hears
  // of the points that are clicked.
  function board(width, height, pick) {
    const row = (y) => height - 1 - y;
    const svg = vector("svg", {
      viewBox: `-1.35 -.75 ${width + 1.1} ${height + 1.1}`, role: "img", "aria-label": "board",
    });
    const gradient = (id, light, dark) => vector("radialGradient", { id, cx: ".36", cy: ".3", r: ".75" },
      vector("stop", { offset: "0", "stop-color": light }),
      vector("stop", { offset: "1", "stop-color": dark }));
    svg.append(vector("defs", {}, gradient("dark-stone", "#6b6b70", "#0e0e10"),
      gradient("light-stone", "#ffffff", "#cfcabd")));
    svg.append(vector("rect", {
      class: "wood", x: -1.35, y: -.75, width: width + 1.1, height: height + 1.1,
    }));
    const lines = vector("g", { class: "lines" });
    for (let x = 0; x < width; x++) lines.append(vector("line", { x1: x, x2: x, y1: 0, y2: height - 1 }));
    for (let y = 0; y < height; y++) lines.append(vector("line", { y1: y, y2: y, x1: 0, x2: width - 1 }));
    svg.append(lines);
    for (const [x, y] of starPoints(width, height)) {
      svg.append(vector("circle", { class: "star", cx: x, cy: row(y), r: .11 }));
    }
    for (let x = 0; x < width; x++) {
      svg.append(vector("text", { class: "coordinate", x, y: height + .02, "text-anchor": "middle" },
        String.fromCharCode(97 + x)));
    }
    for (let y = 0; y < height; y++) {
      svg.append(vector("text", { class: "coordinate", x: -.78, y: row(y) + .13, "text-anchor": "end" },
        String(y + 1)));
    }
    svg.append(vector("g", { id: "stones" }));
    const hit = vector("rect", { class: "hit", x: -.5, y: -.5, width, height, fill: "transparent" });
    hit.addEventListener("click", (event) => {
      const box = hit.getBoundingClientRect();
      pick(Math.floor((event.clientX - box.left) / box.width * width),
        row(Math.floor((event.clientY - box.top) / box.height * height)));
    });
    svg.append(hit);
    return svg;
  }
  // A stone at the SVG's coordinates, with a label on it or, if it is the newest
  // one, a dot; faint if it is only thought of, with a ring if it wins.
  function stone(x, y, isBlack, { label, isLast, faint, wins }) {
    const group = vector("g", faint ? { opacity: .82 } : {});
    group.append(vector("circle", { cx: x + .03, cy: y + .05, r: .45, fill: "rgb(0 0 0 / .22)" }));
    group.append(vector("circle", {
      cx: x, cy: y, r: .45, fill: isBlack ? "url(#dark-stone)" : "url(#light-stone)",
      ...(faint ? { stroke: "#2f63b8", "stroke-width": .08 } : {}),
    }));
    if (wins) {
      group.append(vector("circle", {
        cx: x, cy: y, r: .42, fill: "none", stroke: isBlack ? "#5fd39a" : "#1f8a57", "stroke-width": .09,
      }));
    }
    const red = isBlack ? "#ff9d8a" : "#c22f1c";
    if (label) {
      group.append(vector("text", {
        class: "number", x, y: y + .13, "text-anchor": "middle",
        fill: isLast ? red : isBlack ? "#f2efe8" : "#222",
      }, label));
    } else if (isLast) {
      group.append(vector("circle", { cx: x, cy: y, r: .13, fill: red }));
    }
    return group;
  }
  // The stones, as "x,y", of the rows of five and more through the last of these
  // points, on which Black and White have played in turn.
  function winningRow(points) {
    const found = new Set();
    const last = points.at(-1);
    if (!last) return found;
    const owner = new Map(points.map((point, ply) => [`${point.x},${point.y}`, ply % 2]));
    const colour = (points.length - 1) % 2;
    for (const [dx, dy] of [[1, 0], [0, 1], [1, 1], [1, -1]]) {
      const stones = [`${last.x},${last.y}`];
      for (const sign of [1, -1]) {
        for (let step = sign; owner.get(`${last.x + dx * step},${last.y + dy * step}`) === colour; step += sign) {
          stones.push(`${last.x + dx * step},${last.y + dy * step}`);
        }
      }
      if (stones.length >= 5) stones.forEach((key) => found.add(key));
    }
    return found;
  }
  return { element, vector, board, stone, winningRow };
})();
