import { commonWords } from '#/kernel/common-words.ts'
import { dictionary } from '#/kernel/dictionary.ts'

/** What is wrong with a field of a template, by the code of its fault. `{number}`: that in the server's own sentence. */
export const templateFaultWords = dictionary({
  required: commonWords.fillIn,
  enum: ['Escolha um dos valores.', 'Choose one of the values.', 'Elija uno de los valores.'],
  type: ['Digite um número inteiro.', 'Enter a whole number.', 'Escriba un número entero.'],
  minLength: [
    'O texto é curto demais. Número mínimo de caracteres: {number}.',
    'The text is too short. Minimum number of characters: {number}.',
    'El texto es demasiado corto. Número mínimo de caracteres: {number}.',
  ],
  maxLength: [
    'O texto é longo demais. Número máximo de caracteres: {number}.',
    'The text is too long. Maximum number of characters: {number}.',
    'El texto es demasiado largo. Número máximo de caracteres: {number}.',
  ],
  minimum: ['O valor mínimo é {number}.', 'The minimum is {number}.', 'El valor mínimo es {number}.'],
  maximum: ['O valor máximo é {number}.', 'The maximum is {number}.', 'El valor máximo es {number}.'],
  minItems: ['Escolha pelo menos um.', 'Choose at least one.', 'Elija al menos uno.'],
  uniqueItems: ['Um valor está repetido.', 'A value is repeated.', 'Un valor está repetido.'],
  unclean_text: [
    'O texto tem um caractere que não pode ser guardado.',
    'The text has a character that cannot be stored.',
    'El texto tiene un carácter que no se puede guardar.',
  ],
  control_character: [
    'O texto tem um caractere de controle.',
    'The text has a control character.',
    'El texto tiene un carácter de control.',
  ],
  no_colour: [
    'Digite uma cor como #rrggbb ou oklch(0.58 0.13 45).',
    'Enter a color as #rrggbb or oklch(0.58 0.13 45).',
    'Escriba un color como #rrggbb u oklch(0.58 0.13 45).',
  ],
  contrast: [
    'Um botão desta cor quase não se vê nesta página.',
    'A button of this color is hard to see on this page.',
    'Un botón de este color casi no se ve en esta página.',
  ],
  no_url: [
    'Digite um endereço completo, que comece com https://.',
    'Enter a full address that begins with https://.',
    'Escriba una dirección completa que empiece con https://.',
  ],
  url_password: [
    'O endereço tem uma senha, e os pagadores a veriam.',
    'The address contains a password, and payers would see it.',
    'La dirección contiene una contraseña y los pagadores la verían.',
  ],
  no_https: [
    'O endereço precisa começar com https://.',
    'The address must begin with https://.',
    'La dirección debe empezar con https://.',
  ],
  not_enabled: [
    'Este idioma não está entre os escolhidos.',
    'This language is not among those chosen.',
    'Este idioma no está entre los elegidos.',
  ],
  no_time_zone: [
    'Este fuso horário não existe.',
    'There is no such time zone.',
    'Esta zona horaria no existe.',
  ],
  no_method: [
    'Ative pelo menos uma forma de pagamento.',
    'Enable at least one payment method.',
    'Active al menos un medio de pago.',
  ],
  twice: [
    'A forma de pagamento está repetida.',
    'The payment method is repeated.',
    'El medio de pago está repetido.',
  ],
  min_above_max: [
    'O mínimo é maior que o máximo.',
    'The minimum is more than the maximum.',
    'El mínimo es mayor que el máximo.',
  ],
  no_currency: [
    'Nenhuma das moedas do modelo vale para esta forma de pagamento. Desative-a ou escolha uma das moedas dela.',
    'This payment method takes none of the template’s currencies. Disable it, or choose a currency that it takes.',
    'Ninguna de las monedas de la plantilla vale para este medio de pago. Desactívelo o elija una de sus monedas.',
  ],
  not_of_method: [
    'Esta forma de pagamento não aceita esta moeda.',
    'This payment method does not take this currency.',
    'Este medio de pago no acepta esta moneda.',
  ],
  highlighted_twice: [
    'Só uma forma de pagamento pode ter destaque.',
    'Only one payment method can be highlighted.',
    'Solo un medio de pago puede estar destacado.',
  ],
  above_method: [
    'O prazo é longo demais para esta forma de pagamento.',
    'The time is too long for this payment method.',
    'El plazo es demasiado largo para este medio de pago.',
  ],
  no_such_currency: [
    'O modelo não tem esta moeda.',
    'The template does not have this currency.',
    'La plantilla no tiene esta moneda.',
  ],
  no_host: [
    'Digite só o site: loja.example, loja.example:8443 ou *.loja.example.',
    'Enter only the site: shop.example, shop.example:8443 or *.shop.example.',
    'Escriba solo el sitio: tienda.example, tienda.example:8443 o *.tienda.example.',
  ],
  host_not_allowed: [
    'O site deste endereço não está entre os permitidos.',
    'The site of this address is not among those allowed.',
    'El sitio de esta dirección no está entre los permitidos.',
  ],
  no_email: ['Isto não é um e-mail.', 'This is not an email address.', 'Esto no es un correo.'],
  no_picture: [
    'Este arquivo não é uma imagem.',
    'This file is not an image.',
    'Este archivo no es una imagen.',
  ],
  picture_type: [
    'O logotipo precisa ser PNG, JPEG ou WebP.',
    'The logo must be PNG, JPEG or WebP.',
    'El logotipo debe ser PNG, JPEG o WebP.',
  ],
  picture_size: [
    'O arquivo tem mais de 64 KB.',
    'The file is larger than 64 KB.',
    'El archivo tiene más de 64 KB.',
  ],
  picture_bytes: [
    'O conteúdo do arquivo não é do tipo que o nome indica.',
    'The content of the file is not of the type that its name indicates.',
    'El contenido del archivo no es del tipo que indica su nombre.',
  ],
  picture_cut: ['A imagem está incompleta.', 'The image is incomplete.', 'La imagen está incompleta.'],
  picture_pixels: [
    'A imagem tem mais de 2048 pixels em um lado.',
    'The image has more than 2048 pixels on one side.',
    'La imagen tiene más de 2048 píxeles en un lado.',
  ],
})
