// Which countries the SEPA schemes reach, by the letters that their IBANs begin with. The EPC decides it (EPC409-09, its list of SEPA
// scheme countries), more often than a library for IBANs is released. As of May 2026, when Serbia had become the 41st country. To add a
// country: its letters here, and an example of the IBAN registry (ISO 13616) in countries.test.ts.

const european = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'
const ofTheArea = 'IS LI NO'
/** AL and ME since November 2024, MD and MK since March 2025, RS since May 2025; transfers since October 2025, and May 2026. */
const others = 'AD AL CH GB MC MD ME MK RS SM VA'
/**
 * Territories with letters of their own. All others have IBANs of their country: Åland of FI; Jersey, Guernsey and Man of GB; the French
 * ones of FR; the Azores, Madeira, the Canaries, Ceuta and Melilla of PT and ES.
 */
const territories = 'GI'

/** The first two letters of an IBAN that SEPA reaches. */
export const sepaCountries: ReadonlySet<string> = new Set(
  [european, ofTheArea, others, territories].flatMap((each) => each.split(' ')),
)
