import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Simulated colour blindness: the matrices of Machado, Oliveira and Fernandes (2009), on linear RGB. */
const eyes = {
  "normal vision": [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const times = (matrix: readonly number[][], vector: readonly number[]) =>
  matrix.map((row) => row.reduce((sum, factor, at) => sum + factor * vector[at]!, 0));
const linear = (colour: string) =>
  [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));

/** Converts linear RGB to OKLab, in which distances are perceived differences. */
function seen(light: readonly number[]): number[] {
  const cones = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    light,
  ).map(Math.cbrt);
  return times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    cones,
  );
}

const colours = [...readFileSync("client/ui/chart/dataColours.css", "utf8").matchAll(/--mode-\d: (#\w{6});/g)].map(
  ([, colour]) => colour!,
);

test.each(Object.entries(eyes))("the colours of the six modes can be distinguished on the map: %s", (_, matrix) => {
  const looks = colours.map((colour) =>
    seen(times(matrix, linear(colour)).map((part) => Math.min(1, Math.max(0, part)))),
  );
  expect(looks).toHaveLength(6);
  const distances = looks.flatMap((one, at) =>
    looks.slice(at + 1).map((other) => Math.hypot(...one.map((part, axis) => part - other[axis]!))),
  );
  expect(Math.min(...distances)).toBeGreaterThan(0.14);
});
