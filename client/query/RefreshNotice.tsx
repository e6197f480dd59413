/** How a spreadsheet or a reporting tool keeps an answer up to date. */
export function RefreshNotice({ address }: { address: string }) {
  return (
    <details>
      <summary>Refresh it from Excel, LibreOffice or Power BI</summary>
      <p>
        The address of this answer as CSV: <code>{address}</code>
      </p>
      <ol>
        <li>Make an access token on your profile, only to read, for as long as the file is used.</li>
        <li>Excel: Data, From Web, paste the address; choose Basic, your user name, and the token as the password. Data, Refresh All brings the present answer.</li>
        <li>LibreOffice: Sheet, External Links, paste the address, and choose how often it is refreshed; user name and token are asked for.</li>
        <li>Power BI: Get data, Web, paste the address; Basic with user name and token. Scheduled refresh keeps them.</li>
      </ol>
      <p>Never use your own password there. The parameters of the address are those of the form above.</p>
    </details>
  );
}
