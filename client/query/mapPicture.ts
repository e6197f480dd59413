import { frameOf } from "../ui/map/boundaries.ts";
import type { AnswerMap } from "./answerMap.ts";
import "../ui/chart/ChartFrame.css";

/** A map as a picture (PNG) on white paper, with a heading, its legend and what it leaves out. */

const [width, margin, line] = [960, 24, 20];
const scale = 1.5;

/** Returns the map's colours on paper, by name. */
function paperColours(): (name: string) => string {
  const paper = document.body.appendChild(document.createElement("div"));
  paper.className = "map-colours chart-paper";
  paper.hidden = true;
  const style = getComputedStyle(paper);
  const names = ["surface", "ink", "ink-soft", "hatch-ground", "hatch-line", "map-line", ...[0, 1, 2, 3, 4].map((depth) => `share-${depth}`)];
  const values = new Map(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
  paper.remove();
  return (name) => values.get(name)!;
}

/** The pattern for "no figure": diagonal lines on a light background. */
function hatchOf(context: CanvasRenderingContext2D, colour: (name: string) => string): CanvasPattern {
  const tile = document.createElement("canvas");
  tile.width = tile.height = 8;
  const on = tile.getContext("2d")!;
  on.fillStyle = colour("hatch-ground");
  on.fillRect(0, 0, 8, 8);
  on.strokeStyle = colour("hatch-line");
  on.beginPath();
  for (const from of [-8, 0, 8]) {
    on.moveTo(from, 8);
    on.lineTo(from + 8, 0);
  }
  on.stroke();
  return context.createPattern(tile, "repeat")!;
}

/** A text, broken into lines. */
function wrapped(context: CanvasRenderingContext2D, text: string): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (context.measureText(longer).width <= width - 2 * margin) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** Draws the picture. @throws Error if the browser cannot make one of this size */
export async function mapPicture(map: AnswerMap, { title, notes }: { title: string; notes: string[] }): Promise<Blob> {
  const colour = paperColours();
  const font = getComputedStyle(document.body).fontFamily;
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d")!;
  const [titleFont, noteFont] = [`600 17px ${font}`, `13px ${font}`];
  context.font = titleFont;
  const titles = wrapped(context, title);
  context.font = noteFont;
  const noteLines = notes.flatMap((note) => wrapped(context, note));
  const legend = [...map.classes.map(({ label, depth, count }) => ({ text: `${label}: ${count.toLocaleString("en")}`, depth })), ...(map.without > 0 ? [{ text: `No figure: ${map.without.toLocaleString("en")}`, depth: undefined }] : [])];
  const { viewBox, squeeze, size } = frameOf(map.boxes);
  const [left, top, across, down] = viewBox.split(" ").map(Number) as [number, number, number, number];
  const head = margin + titles.length * 24 + noteLines.length * line + 12;
  const unit = Math.min((width - 2 * margin) / across, 720 / down);
  const foot = legend.length > 0 ? 2 * line : 0;
  canvas.width = width * scale;
  canvas.height = (head + down * unit + foot + margin) * scale;
  context.scale(scale, scale);
  context.fillStyle = colour("surface");
  context.fillRect(0, 0, width, canvas.height);
  context.textBaseline = "top";
  context.fillStyle = colour("ink");
  context.font = titleFont;
  for (const [at, text] of titles.entries()) context.fillText(text, margin, margin + at * 24);
  context.fillStyle = colour("ink-soft");
  context.font = noteFont;
  for (const [at, text] of noteLines.entries()) context.fillText(text, margin, margin + titles.length * 24 + at * line);

  const hatch = hatchOf(context, colour);
  const fillOf = (depth: number | undefined) => (depth === undefined ? hatch : colour(`share-${depth}`));
  context.save();
  // Paths are converted to the picture's pixels, so that lines and the hatch keep their size.
  const toPoints = new DOMMatrix([unit * squeeze, 0, 0, -unit, (width - across * unit) / 2 - left * unit, head - top * unit]);
  const shapeOf = (path: Path2D) => {
    const shape = new Path2D();
    shape.addPath(path, toPoints);
    return shape;
  };
  context.strokeStyle = colour("map-line");
  context.lineWidth = 0.8;
  for (const { path } of map.ground) context.stroke(shapeOf(new Path2D(path)));
  for (const mark of map.marks) {
    const path = new Path2D("path" in mark ? mark.path : undefined);
    if ("east" in mark) path.ellipse(mark.east, mark.north, size / 130 / squeeze, size / 130, 0, 0, 2 * Math.PI);
    const shape = shapeOf(path);
    context.fillStyle = fillOf(mark.depth);
    context.fill(shape);
    context.stroke(shape);
  }
  context.restore();

  let x = margin;
  const y = head + down * unit + line / 2;
  context.font = noteFont;
  for (const { text, depth } of legend) {
    context.fillStyle = fillOf(depth);
    context.fillRect(x, y, 14, 14);
    context.strokeStyle = colour("map-line");
    context.strokeRect(x, y, 14, 14);
    context.fillStyle = colour("ink");
    context.fillText(text, x + 20, y);
    x += 20 + context.measureText(text).width + 20;
  }
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"));
}
