import { useText } from "../texts/texts.ts";

interface ReadFailedProps {
  /** What could not be read, as a sentence. */
  readonly children: string;
  readonly className?: string;
  retry(): unknown;
}

/** Says that something could not be read, and offers to read it again. */
export function ReadFailed({ children, className, retry }: ReadFailedProps) {
  const t = useText();
  return (
    <p role="alert" className={className}>
      {children}{" "}
      <button type="button" className="btn" onClick={() => void retry()}>
        {t("page.retry")}
      </button>
    </p>
  );
}
