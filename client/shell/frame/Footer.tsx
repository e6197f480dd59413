import "./Footer.css";

const year = new Date().getFullYear();

/** The copyright line, with the ministry and the design company. */
export function Footer() {
  return (
    <footer className="footer screen-only">
      <p>
        © {year}{" "}
        <a href="https://www.moh.gov.zm" target="_blank" rel="noopener">
          Ministry of Health
        </a>
        . Designed by{" "}
        <a href="https://www.smartcare.org.zm" target="_blank" rel="noopener">
          SmartCare Design
        </a>
        .
      </p>
    </footer>
  );
}
