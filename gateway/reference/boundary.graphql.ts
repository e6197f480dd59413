import { builder } from "../graphql/builder.ts";
import { parse } from "../input/parse.ts";
import {
  type Boundaries,
  type BoundaryRow,
  listDistrictBoundaries,
  listProvinceBoundaries,
  loadDistrictBoundary,
} from "./boundary.ts";
import { districtBoundaryRules, stepsPerDegree } from "./boundary.rules.ts";
import { District } from "./reference.graphql.ts";

/** GraphQL types and fields of the outlines of places, for maps. */

const Outline = builder.objectRef<BoundaryRow>("Outline").implement({
  description: "The outline of a province or district.",
  fields: (t) => ({
    hxId: t.exposeInt("id", { description: "Id of the province or district." }),
    name: t.exposeString("name", { description: "Its name." }),
    path: t.exposeString("path", {
      description: `A path of SVG in steps of 1/${stepsPerDegree} degree: east, and north.`,
    }),
    box: t.intList({
      description: "West, south, east and north of it, in the same steps.",
      resolve: ({ west, south, east, north }) => [west, south, east, north],
    }),
  }),
});
const BoundariesType = builder.objectRef<Boundaries>("Boundaries").implement({
  description: "Outlines by name; places without one are left out.",
  fields: (t) => ({
    credit: t.exposeString("credit", { nullable: true, description: "Whose work they are, to be shown on the map." }),
    outlines: t.field({ type: [Outline], description: "The outlines.", resolve: ({ outlines }) => outlines }),
  }),
});

builder.objectField(District, "outline", (t) =>
  t.field({
    type: Outline,
    nullable: true,
    description: "Its outline, for maps; null if none was loaded.",
    resolve: ({ districtId }, _, context) => loadDistrictBoundary(context, districtId),
  }),
);

builder.queryFields((t) => ({
  provinceBoundaries: t.field({
    type: BoundariesType,
    nullable: true,
    description: "Outlines of the provinces.",
    resolve: (_, __, context) => listProvinceBoundaries(context),
  }),
  districtBoundaries: t.field({
    type: BoundariesType,
    nullable: true,
    description: "Outlines of the districts: all, those of a province, or one.",
    args: { provinceId: t.arg.int(), districtId: t.arg.int() },
    resolve: (_, scope, context) => listDistrictBoundaries(context, parse(districtBoundaryRules, scope)),
  }),
}));
