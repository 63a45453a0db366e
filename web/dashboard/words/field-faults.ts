import { commonWords } from '#/kernel/common-words.ts'
import { dictionary } from './dictionary.ts'

const notAccepted = [
  'Este valor não é aceito.',
  'This value is not accepted.',
  'Este valor no se acepta.',
] as const

/** What is wrong with a field that the server refused, by the code of the fault. */
export const fieldFaultWords = dictionary({
  codes: {
    required: commonWords.fillIn,
    missing: commonWords.fillIn,
    repeated: ['Há um valor repetido.', 'A value is repeated.', 'Hay un valor repetido.'],
    card_number: [
      'Não digite o número de um cartão aqui.',
      'Do not enter a card number here.',
      'No escriba aquí el número de una tarjeta.',
    ],
    other_currency: ['É de outra moeda.', 'It is of another currency.', 'Es de otra moneda.'],
    differs: [
      'É diferente do que foi solicitado antes.',
      'It differs from what was requested before.',
      'Es distinto de lo que se solicitó antes.',
    ],
  },
  /** The server's own sentence stands below these: it has the bound, or the form. */
  general: {
    too_small: ['O valor é pequeno demais.', 'The value is too small.', 'El valor es demasiado pequeño.'],
    too_large: ['O valor é grande demais.', 'The value is too large.', 'El valor es demasiado grande.'],
    too_short: ['É curto demais.', 'It is too short.', 'Es demasiado corto.'],
    too_long: ['É longo demais.', 'It is too long.', 'Es demasiado largo.'],
    malformed: ['O formato não está certo.', 'The format is not right.', 'El formato no es correcto.'],
    invalid: notAccepted,
    not_allowed: [
      'Este valor não é aceito aqui.',
      'This value is not accepted here.',
      'Este valor no se acepta aquí.',
    ],
    wrong_type: notAccepted,
    unknown_field: ['Este campo não é conhecido.', 'This field is not known.', 'Este campo no se conoce.'],
    unclean_text: [
      'Há um caractere que não é aceito.',
      'It has a character that is not accepted.',
      'Tiene un carácter que no se acepta.',
    ],
    not_available: ['Não está disponível aqui.', 'It is not available here.', 'No está disponible aquí.'],
    not_found: [
      'Não existe, ou não é desta conta.',
      'It does not exist, or does not belong to this account.',
      'No existe, o no es de esta cuenta.',
    ],
    out_of_range: [
      'Está fora do que é aceito.',
      'It is outside the accepted range.',
      'Está fuera de lo que se acepta.',
    ],
    too_wide: ['É amplo demais.', 'It is too wide.', 'Es demasiado amplio.'],
    scheme_not_allowed: [
      'Este tipo de endereço não é aceito.',
      'This kind of address is not accepted.',
      'Este tipo de dirección no se acepta.',
    ],
    userinfo_not_allowed: [
      'O endereço não pode ter usuário nem senha.',
      'The address may have neither user nor password.',
      'La dirección no puede tener usuario ni contraseña.',
    ],
    not_active: ['Não está ativo.', 'It is not active.', 'No está activo.'],
    inactive: ['Não está ativo.', 'It is not active.', 'No está activo.'],
    not_granted: ['Não foi autorizado.', 'It was not granted.', 'No fue autorizado.'],
    wrong: ['Não está certo.', 'It is not right.', 'No está bien.'],
    unknown: ['Não é conhecido.', 'It is not known.', 'No se conoce.'],
    shortfall: ['Não há saldo para tudo.', 'There is not enough for all of it.', 'No hay saldo para todo.'],
    not_held: ['Não é seu.', 'It is not yours.', 'No es suyo.'],
    not_declared: [
      'Esta chave não foi declarada.',
      'This key was not declared.',
      'Esta clave no fue declarada.',
    ],
  },
  other: notAccepted,
})
