import "./Footer.css";

const ministry = { name: "Ministry of Health", url: "https://www.moh.gov.zm" };
const designCompany = { name: "SmartCare Design", url: "https://www.smartcare.org.zm" };

const year = new Date().getFullYear();

/** The copyright line, with the ministry and the design company. */
export function Footer() {
  return (
    <footer className="footer screen-only">
      <p>
        © {year}{" "}
        <a href={ministry.url} target="_blank" rel="noopener">
          {ministry.name}
        </a>
        . Designed by{" "}
        <a href={designCompany.url} target="_blank" rel="noopener">
          {designCompany.name}
        </a>
        .
      </p>
    </footer>
  );
}
