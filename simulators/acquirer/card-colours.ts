// The colours that an account gave its card page, as a style sheet of its own: the page's policy allows no style in the page.
import { given } from '../kit/given.ts'

export type CardColours = { readonly background?: string; readonly button?: string }

export function isColour(text: string): boolean {
  return /^#[\da-f]{6}$/i.test(text)
}

/** The address of the style sheet; undefined where the page has its own colours. */
export function coloursPath({ background, button }: CardColours): string | undefined {
  const query = new URLSearchParams(given({ background, button }))
  return query.size === 0 ? undefined : `/c/colours.css?${query.toString()}`
}

/** Text is light on a dark background. What is no colour is left out. */
export function coloursCss(query: URLSearchParams): string {
  const colour = (name: string) => {
    const text = query.get(name) ?? ''
    return isColour(text) ? text : undefined
  }
  const background = colour('background')
  const button = colour('button')
  return [
    ...(background === undefined
      ? []
      : [`:root { color-scheme: ${isDark(background) ? 'dark' : 'light'}; --card: ${background}; }\n`]),
    ...(button === undefined
      ? []
      : [`:root { --button: ${button}; --on-button: ${isDark(button) ? '#ffffff' : '#000000'}; }\n`]),
  ].join('')
}

/** Whether white has more contrast with it than black has (WCAG 2.2, relative luminance). */
function isDark(colour: string): boolean {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
  return 1.05 / (luminance + 0.05) > (luminance + 0.05) / 0.05
}
