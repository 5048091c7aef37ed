/** Just enough Markdown for our own texts: headings, lists, paragraphs, bold, italics and code. */

export interface Span {
  kind: 'text' | 'strong' | 'em' | 'code';
  text: string;
}

export interface Block {
  kind: 'heading' | 'list' | 'paragraph';
  level: number;
  lines: Span[][];
}

/** A full-width sign brings its own space. */
const AFTER_FULL_WIDTH = /([。，：；！？]\*\*?) /g;

export function spans(line: string): Span[] {
  return line
    .replace(AFTER_FULL_WIDTH, '$1')
    .split(/(\*\*[^*]+\*\*|\*[^*]+\*|`[^`]+`)/)
    .filter(Boolean)
    .map((part) => {
      if (part.startsWith('**')) return { kind: 'strong', text: part.slice(2, -2) };
      if (part.startsWith('*')) return { kind: 'em', text: part.slice(1, -1) };
      if (part.startsWith('`')) return { kind: 'code', text: part.slice(1, -1) };
      return { kind: 'text', text: part };
    });
}

export function blocks(markdown: string): Block[] {
  const out: Block[] = [];
  for (const chunk of markdown.trim().split(/\n\s*\n/)) {
    for (const line of chunk.split('\n')) {
      const heading = /^(#{1,4})\s+(.*)$/.exec(line);
      const item = /^[-*]\s+(.*)$/.exec(line);
      const last = out.at(-1);
      if (heading) out.push({ kind: 'heading', level: heading[1]!.length, lines: [spans(heading[2]!)] });
      else if (item && last?.kind === 'list') last.lines.push(spans(item[1]!));
      else if (item) out.push({ kind: 'list', level: 0, lines: [spans(item[1]!)] });
      else if (/^\s+\S/.test(line) && last?.kind === 'list') last.lines.at(-1)?.push(...spans(` ${line.trim()}`));
      else if (last?.kind === 'paragraph' && last.level === 0) last.lines.push(spans(line));
      else out.push({ kind: 'paragraph', level: 0, lines: [spans(line)] });
    }
    const last = out.at(-1);
    if (last?.kind === 'paragraph') last.level = 1;
  }
  return out;
}
