import { createElement } from "react";
import type { Column } from "../ui/list/DataTable.tsx";
import { formatNumber } from "../ui/text/counted.ts";
import { SiteShareChart } from "./SiteShareChart.tsx";

type Figures = { facilities: number; assessed: number; sumSmartCareFunctional: number };

/** What a table of places or partners says of the sites of each row, by the row's id. */
export const siteColumns = <R extends { id: string }>(figures: ReadonlyMap<string, Figures>) =>
  ({
    sites: {
      id: "facilities",
      header: "Sites",
      numeric: true,
      phone: "labelled",
      cell: ({ id }) => {
        const sites = figures.get(id)?.facilities;
        return sites === undefined ? "–" : formatNumber(sites);
      },
    },
    assessed: {
      id: "assessed",
      header: "Assessed",
      numeric: true,
      cell: ({ id }) =>
        createElement(SiteShareChart, {
          of: figures.get(id)?.facilities,
          value: figures.get(id)?.assessed,
          words: "sites were assessed",
        }),
    },
    works: {
      id: "works",
      header: "Works",
      numeric: true,
      cell: ({ id }) =>
        createElement(SiteShareChart, {
          of: figures.get(id)?.assessed,
          value: figures.get(id)?.sumSmartCareFunctional,
          words: "assessed sites work",
        }),
    },
  }) satisfies Record<string, Column<R>>;
