import { dictionary } from '#/kernel/dictionary.ts'

/** What is wrong with a field of a template, by the code of its fault. `{number}`: that in the server's own sentence. */
export const templateFaultWords = dictionary({
  required: ['Preencha este campo.', 'Fill this in.', 'Complete este campo.'],
  enum: ['Escolha um dos valores.', 'Choose one of the values.', 'Elija uno de los valores.'],
  type: ['Escreva um número inteiro.', 'Write a whole number.', 'Escriba un número entero.'],
  minLength: [
    'O texto é curto demais: pelo menos {number} caracteres.',
    'The text is too short: at least {number} characters.',
    'El texto es demasiado corto: al menos {number} caracteres.',
  ],
  maxLength: [
    'O texto é longo demais: no máximo {number} caracteres.',
    'The text is too long: at most {number} characters.',
    'El texto es demasiado largo: como máximo {number} caracteres.',
  ],
  minimum: ['O menor valor é {number}.', 'The least value is {number}.', 'El valor mínimo es {number}.'],
  maximum: ['O maior valor é {number}.', 'The largest value is {number}.', 'El valor máximo es {number}.'],
  minItems: ['Escolha pelo menos um.', 'Choose at least one.', 'Elija al menos uno.'],
  uniqueItems: ['Um valor está repetido.', 'A value is there twice.', 'Un valor está repetido.'],
  unclean_text: [
    'O texto tem um caractere que não pode ser guardado.',
    'The text holds a character that cannot be stored.',
    'El texto tiene un carácter que no se puede guardar.',
  ],
  control_character: [
    'O texto tem um caractere de controle.',
    'The text holds a control character.',
    'El texto tiene un carácter de control.',
  ],
  no_colour: [
    'Escreva uma cor como #rrggbb ou oklch(0.58 0.13 45).',
    'Write a color as #rrggbb or oklch(0.58 0.13 45).',
    'Escriba un color como #rrggbb u oklch(0.58 0.13 45).',
  ],
  contrast: [
    'Um botão desta cor quase não se vê nesta página.',
    'A button of this color can hardly be seen on this page.',
    'Un botón de este color casi no se ve en esta página.',
  ],
  no_url: [
    'Escreva um endereço completo, que comece com https://.',
    'Write a whole address that begins with https://.',
    'Escriba una dirección completa que empiece con https://.',
  ],
  url_password: [
    'O endereço tem uma senha, e os pagadores a veriam.',
    'The address holds a password, and payers would see it.',
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
    'Ligue pelo menos uma forma de pagamento.',
    'Switch on at least one method.',
    'Active al menos un medio de pago.',
  ],
  twice: [
    'A forma de pagamento está repetida.',
    'The method is there twice.',
    'El medio de pago está repetido.',
  ],
  min_above_max: [
    'O mínimo é maior que o máximo.',
    'The least is more than the most.',
    'El mínimo es mayor que el máximo.',
  ],
  no_currency: [
    'Nenhuma das moedas do modelo vale para esta forma de pagamento. Desligue-a ou escolha uma das moedas dela.',
    'This method takes none of the template’s currencies. Switch it off, or choose a currency that it takes.',
    'Ninguna de las monedas de la plantilla vale para este medio de pago. Desactívelo o elija una de sus monedas.',
  ],
  not_of_method: [
    'Esta forma de pagamento não tem esta moeda.',
    'This method does not have this currency.',
    'Este medio de pago no tiene esta moneda.',
  ],
  highlighted_twice: [
    'Só uma forma de pagamento é destacada.',
    'Only one method is highlighted.',
    'Solo se destaca un medio de pago.',
  ],
  above_method: [
    'Esta forma de pagamento não dá tanto tempo.',
    'This method does not give that much time.',
    'Esta forma de pago no da tanto tiempo.',
  ],
  no_such_currency: [
    'O modelo não tem esta moeda.',
    'The template does not have this currency.',
    'La plantilla no tiene esta moneda.',
  ],
  no_host: [
    'Escreva só o site: loja.example, loja.example:8443 ou *.loja.example.',
    'Write a host alone: shop.example, shop.example:8443 or *.shop.example.',
    'Escriba solo el sitio: tienda.example, tienda.example:8443 o *.tienda.example.',
  ],
  host_not_allowed: [
    'O site deste endereço não está entre os permitidos.',
    'The host of this address is not among those allowed.',
    'El sitio de esta dirección no está entre los permitidos.',
  ],
  no_email: ['Este não é um e-mail.', 'This is no email address.', 'Esto no es un correo.'],
  no_picture: [
    'Este arquivo não é uma imagem.',
    'This file is no picture.',
    'Este archivo no es una imagen.',
  ],
  picture_type: [
    'O logotipo é PNG, JPEG ou WebP.',
    'A logo is PNG, JPEG or WebP.',
    'Un logotipo es PNG, JPEG o WebP.',
  ],
  picture_size: [
    'O arquivo tem mais de 64 KB.',
    'The file has more than 64 KB.',
    'El archivo tiene más de 64 KB.',
  ],
  picture_bytes: [
    'O conteúdo do arquivo não é do tipo que o nome diz.',
    'The content of the file is not of the type that its name says.',
    'El contenido del archivo no es del tipo que dice su nombre.',
  ],
  picture_cut: ['A imagem está incompleta.', 'The picture is cut off.', 'La imagen está incompleta.'],
  picture_pixels: [
    'A imagem tem mais de 2048 pixels em um lado.',
    'The picture has more than 2048 pixels on a side.',
    'La imagen tiene más de 2048 píxeles en un lado.',
  ],
})
