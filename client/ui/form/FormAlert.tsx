import "./FormAlert.css";

/** What is wrong with a form as a whole, read out when it appears; nothing where nothing is. */
export function FormAlert({ message }: { message: string | undefined }) {
  if (!message) return null;
  return (
    <p className="form-alert" role="alert">
      {message}
    </p>
  );
}
