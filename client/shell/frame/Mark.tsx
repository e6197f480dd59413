import "./Brand.css";

/** The product's mark: a place on the map, with a cross. */
export function Mark() {
  return (
    <svg className="brand-mark" viewBox="0 0 32 32" aria-hidden="true">
      <path d="M16 2.500C9.700 2.500 4.600 7.500 4.600 13.700c0 7.900 9.400 15.700 10.700 16.800.4.300.9.300 1.300 0 1.300-1.100 10.700-8.900 10.700-16.800C27.400 7.500 22.300 2.500 16 2.500z" />
      <path
        className="brand-cross"
        d="M13.700 7.800h4.600v3.800h3.800v4.600h-3.800V20h-4.600v-3.800H9.900v-4.600h3.800z"
      />
    </svg>
  );
}
