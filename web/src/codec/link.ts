/** A position as the fragment of an address: JSON, deflated, in the letters of base64url. */

const PREFIX = "#s1=";
/** Larger than any position that is laid out by hand; a bomb of zeros stops here. */
const LIMIT = 2_000_000;

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: TransformStream,
): Promise<Uint8Array<ArrayBuffer>> {
  const source = new Blob([bytes]).stream().pipeThrough(stream) as ReadableStream<Uint8Array>;
  const reader = source.getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    length += value.length;
    if (length > LIMIT) {
      await reader.cancel();
      throw new RangeError("the position in the link is too large");
    }
  }
  const out = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

const toLetters = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");

function fromLetters(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (sign) => sign.charCodeAt(0));
}

/** The fragment that contains the document. */
export async function encode(doc: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(doc));
  return PREFIX + toLetters(await through(bytes, new CompressionStream("deflate-raw")));
}

/** The document in a fragment; null if the fragment is about something else. Throws if it is damaged. */
export async function decode(fragment: string): Promise<unknown> {
  if (!fragment.startsWith(PREFIX)) return null;
  const bytes = fromLetters(fragment.slice(PREFIX.length));
  return JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw"))));
}
