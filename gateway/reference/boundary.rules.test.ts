import { expect, test } from "vitest";

import { boxOf, geometryRules, outlineOf, pathOf } from "./boundary.rules.ts";

const ring = [
  [28, -15],
  [28.01, -15],
  [28.0101, -15.0001],
  [28.01, -15.01],
  [28, -15],
];

test.each([
  [{ type: "Polygon", coordinates: [ring] }, "M14000-7500l5 0 0-5z"],
  [{ type: "MultiPolygon", coordinates: [[ring], [ring]] }, "M14000-7500l5 0 0-5zM14000-7500l5 0 0-5z"],
  [
    {
      type: "Polygon",
      coordinates: [
        [
          [1, 1],
          [1.0001, 1],
          [1.0001, 1.0001],
          [1, 1],
        ],
      ],
    },
    "",
  ],
])("%j becomes the path '%s'", (geometry, path) => {
  expect(pathOf(geometryRules.parse(geometry))).toBe(path);
});

test.each([
  ["M14000-7500l5 0 0-5z", [14000, -7505, 14005, -7500]],
  ["M0 0l10 0 0 10zM-5-5l1 0 0 1z", [-5, -5, 10, 10]],
])("%s fills the box %j", (path, box) => {
  const { west, south, east, north } = boxOf(path);
  expect([west, south, east, north]).toEqual(box);
});

test("a path becomes GeoJSON: rings are closed, outer rings run counterclockwise, and a ring within another is its hole", () => {
  const square = (at: number, size: number) => [
    [at, at],
    [at, at + size],
    [at + size, at + size],
    [at + size, at],
    [at, at],
  ];
  const path = pathOf(
    geometryRules.parse({
      type: "MultiPolygon",
      coordinates: [[square(10, 4), square(11, 2)], [square(11.5, 1)], [square(20, 1)]],
    }),
  );
  expect(outlineOf(path)).toEqual({
    type: "MultiPolygon",
    coordinates: [
      [square(10, 4).toReversed(), square(11, 2)],
      [square(11.5, 1).toReversed()],
      [square(20, 1).toReversed()],
    ],
  });
  expect(pathOf(geometryRules.parse(outlineOf(path))).length).toBe(path.length);
});

test.each([
  { type: "Point", coordinates: [1, 1] },
  { type: "Polygon", coordinates: [] },
  {
    type: "Polygon",
    coordinates: [
      [
        [200, 1],
        [1, 1],
        [1, 2],
        [200, 1],
      ],
    ],
  },
])("%j is not a valid outline", (geometry) => {
  expect(geometryRules.safeParse(geometry).success).toBe(false);
});
