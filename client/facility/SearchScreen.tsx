import { useState } from "react";
import { type LoaderFunction, useSearchParams } from "react-router-dom";
import { isSearchText } from "../../gateway/facility/searchText.rules.ts";
import { Page } from "../ui/page/Page.tsx";
import { FacilityTextForm } from "./FacilityTextForm.tsx";
import { searchTextIn } from "./searchAddress.ts";
import * as results from "./SearchResultsSection.tsx";

const searchable = (url: URLSearchParams) => searchTextIn(url, "text");

export const loader: LoaderFunction = (args) =>
  searchable(new URL(args.request.url).searchParams) === undefined ? null : results.loader(args);

/** Finds facilities by name or code. Only the answer for exactly the typed text is shown. */
export function SearchScreen() {
  const [url] = useSearchParams();
  const [found, setFound] = useState({ text: "", words: "" });
  const [typed, setTyped] = useState(url.get("text")?.trim() ?? "");
  const text = searchable(url);
  const isTyped = text === typed;
  const words = isTyped && found.text === text ? found.words : "Searching …";
  return (
    <Page title="Facility Search">
      <div className="stack">
        <FacilityTextForm
          autoFocus={!url.has("text")}
          help="Part of a facility's name or of its HMIS code."
          label="Search Parameters (at least 3 characters)"
          name="text"
          onTyped={setTyped}
        />
        <p className="search-count soft" role="status">
          {isSearchText(typed) ? words : ""}
        </p>
        {text !== undefined && isTyped ? (
          <results.SearchResultsSection key={text} onFound={setFound} text={text} />
        ) : null}
      </div>
    </Page>
  );
}
