import { useState } from "react";
import { useSearchParams } from "react-router-dom";
import type { LoaderFunction } from "react-router-dom";
import { Page } from "../ui/page/Page.tsx";
import { searchTextIn } from "./facilityFilter.ts";
import { FacilityTextForm } from "./FacilityTextForm.tsx";
import * as results from "./SearchResultsSection.tsx";
import "./SearchScreen.css";

const searchable = (url: URLSearchParams) => searchTextIn(url, "text");

export const loader: LoaderFunction = (args) =>
  searchable(new URL(args.request.url).searchParams) === undefined ? null : results.loader(args);

/** Finds facilities by their name or code. */
export function SearchScreen() {
  const [url] = useSearchParams();
  const [found, setFound] = useState("");
  const text = searchable(url);
  return (
    <Page title="Facility Search">
      <div className="search">
        <FacilityTextForm
          autoFocus={!url.has("text")}
          help="Part of a facility's name or of its HMIS code."
          label="Search Parameters (at least 3 characters)"
          name="text"
        />
        <p className="search-count" role="status">
          {text === undefined ? "" : found}
        </p>
        {text === undefined ? null : <results.SearchResultsSection onFound={setFound} text={text} />}
      </div>
    </Page>
  );
}
