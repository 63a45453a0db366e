// The page at every address of the dashboard while its own pages are not built. It needs no file.
import { dictionary } from '#/kernel/dictionary.ts'
import type { Locale } from '#/kernel/language.ts'

const words = dictionary({
  building: [
    'O painel está sendo construído',
    'The dashboard is being built',
    'El panel se está construyendo',
  ],
  buildingText: [
    'Isso leva alguns segundos na primeira vez. A página aparece sozinha.',
    'This takes some seconds at the first start. The page appears by itself.',
    'Tarda unos segundos la primera vez. La página aparece sola.',
  ],
  failed: [
    'Não foi possível construir o painel',
    'The dashboard could not be built',
    'No se pudo construir el panel',
  ],
  failedText: [
    'O registro do servidor diz por quê. Corrija a causa e inicie o servidor de novo.',
    'The log of the server says why. Remove the cause, and start the server again.',
    'El registro del servidor dice por qué. Corrija la causa e inicie el servidor de nuevo.',
  ],
})

/** Asks again by itself. */
export function buildingPage(locale: Locale): string {
  const { building, buildingText } = words[locale]
  return page(locale, building, [buildingText], '<meta http-equiv="refresh" content="2">')
}

/** `reason`: for who is at the machine of the server, because it can name paths and settings. */
export function failedPage(locale: Locale, reason: string | undefined): string {
  const { failed, failedText } = words[locale]
  return page(locale, failed, [failedText, ...(reason === undefined ? [] : [reason])])
}

function page(locale: Locale, title: string, paragraphs: readonly string[], more = ''): string {
  const text = paragraphs.map((each) => `<p>${escape(each)}</p>`).join('')
  return `<!doctype html>
<html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${more}
<title>${title}</title></head><body><main><h1>${title}</h1>${text}</main></body></html>
`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
