import { Mark } from "./Mark.tsx";
import "./Brand.css";

export const productName = "SmartCare Deployment Platform";

/** The product's mark and name. */
export function Brand() {
  return (
    <span className="brand">
      <Mark />
      <span>{productName}</span>
    </span>
  );
}
