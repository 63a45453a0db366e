// Texts that a browser's translator may replace. It puts its own nodes in place of ours, so a text that changes is never updated in place:
// its element is keyed by the text, and a new text comes in a new element. What must stay as it is written is marked.
import type { VNode } from 'preact'
import type { PageState } from '#/checkout/page-state.ts'

/**
 * For the element of what is the same in every language: an amount, a code, an address, a name. In small letters Preact would set the
 * property instead of the attribute, and any text is true there.
 */
export const asWritten = { Translate: 'no' } as const

type Names = Pick<PageState, 'merchant'>

/** A figure with decimals, and the currency before or after it: `R$ 1.234,50`, `10,00 USDT`, `2,00`. */
const figure = /((?:[A-Z]{0,3}\p{Sc}\s?)?\d[\d.,]*[.,]\d{2,}(?:\s?(?:\p{Sc}|[A-Z]{3,5}\b))?)/u

/** A text that can change, beside other content or in an element that must stay the same. */
export function Said({ state, text }: { readonly state: Names; readonly text: string }) {
  return <span key={text}>{saidIn(state, text)}</span>
}

/** The text for an element with `key={text}`: no translator touches its amounts and the merchant's name. */
export function saidIn({ merchant }: Names, text: string): readonly (string | VNode)[] {
  return text
    .split(merchant.name)
    .flatMap((piece, index) => [...(index === 0 ? [] : [keptAs(merchant.name)]), ...figuresKept(piece)])
    .filter((piece) => piece !== '')
}

/** Every second piece is what the parentheses matched. */
function figuresKept(text: string): readonly (string | VNode)[] {
  return text.split(figure).map((piece, index) => (index % 2 === 0 ? piece : keptAs(piece)))
}

function keptAs(text: string): VNode {
  return <span {...asWritten}>{text}</span>
}
