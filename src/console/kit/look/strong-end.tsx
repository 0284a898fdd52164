/** An id in one line: grey, with its last six characters strong; one that is a word, as a name, strong as a whole. */
export function StrongEnd({ id }: { id: string }) {
  if (!/\d/.test(id))
    return (
      <bdi className="id">
        <b>{id}</b>
      </bdi>
    );
  return (
    <bdi className="id">
      <i>{id.slice(0, -6)}</i>
      <b>{id.slice(-6)}</b>
    </bdi>
  );
}
