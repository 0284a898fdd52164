/** An id in one line: grey, with its last six characters strong. */
export function StrongEnd({ id }: { id: string }) {
  return (
    <bdi className="id">
      <i>{id.slice(0, -6)}</i>
      <b>{id.slice(-6)}</b>
    </bdi>
  );
}
