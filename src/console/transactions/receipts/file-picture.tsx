import type { CSSProperties } from "react";
import { useEffect, useRef } from "react";

interface FilePictureProps {
  readonly file: { readonly type: string; readonly bytes: Uint8Array<ArrayBuffer> };
  readonly alt: string;
  readonly turns?: number;
  readonly style?: CSSProperties;
  onLoad?(picture: HTMLImageElement): void;
  onError?(): void;
}

/** Draws the bytes of a picture, under an address that lives as long as it is shown. */
export function FilePicture({ file, alt, turns, style, onLoad, onError }: FilePictureProps) {
  const picture = useRef<HTMLImageElement>(null);
  useEffect(() => {
    const url = URL.createObjectURL(new Blob([file.bytes], { type: file.type }));
    if (picture.current !== null) picture.current.src = url;
    return () => URL.revokeObjectURL(url);
  }, [file]);
  return (
    <img
      ref={picture}
      alt={alt}
      data-turns={turns}
      style={style}
      onLoad={({ currentTarget }) => onLoad?.(currentTarget)}
      onError={() => onError?.()}
    />
  );
}
