type ContactWordsProps = {
  name?: string | null | undefined;
  role?: string | null | undefined;
  phone?: string | null | undefined;
};

/** Whom to call, with a link that calls. */
export function ContactWords({ name, role, phone }: ContactWordsProps) {
  const who = [name, role].filter(Boolean).join(", ");
  if (!phone) return who || "–";
  return (
    <>
      {who ? `${who}, ` : null}
      <a href={`tel:${phone.replaceAll(/[^\d+]/g, "")}`}>{phone}</a>
    </>
  );
}
