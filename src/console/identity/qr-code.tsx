import { create } from "qrcode";

/** White around it, in modules (ISO/IEC 18004 asks for four). */
const quiet = 4;

/** A QR code as one path: dark on white in every theme, since cameras want it so. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, data } = create(text, { errorCorrectionLevel: "M" }).modules;
  let path = "";
  for (let at = 0; at < size * size; at++) if (data[at]) path += `M${(at % size) + quiet} ${Math.floor(at / size) + quiet}h1v1h-1z`;
  const side = size + 2 * quiet;
  return (
    <svg className="qr" viewBox={`0 0 ${side} ${side}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <rect width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
