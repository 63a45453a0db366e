import { timeInSpanish } from '../format.ts'
import type { Sentences } from './en.ts'

export const esSentences: Sentences = {
  until: (time, isToday) => `hasta ${isToday ? timeInSpanish(time) : `el ${time}`}`,
  choose: {
    headline: '¿Cómo quiere pagar?',
    message: 'Elija la forma de pago. Puede cambiarla antes de pagar.',
    one: 'Complete los datos que faltan y continúe con el pago.',
  },
  shut: 'No disponible en este momento',
  preparing: { headline: 'Un momento', message: 'Estamos preparando su pago.' },
  confirming: {
    headline: 'Estamos confirmando su pago',
    message: 'Su pago se está procesando. No tiene que hacer nada más ni pagar de nuevo.',
  },
  underpaid: {
    headline: 'Pago incompleto',
    message: ({ received, amount }) =>
      `Recibimos ${received} de ${amount}. Comuníquese con la tienda para pagar el resto.`,
  },
  paid: {
    headline: 'Pago confirmado',
    message: (merchant) => `${merchant} recibió su pago. ¡Gracias!`,
    another: (amount) =>
      `Otros ${amount} están en camino. Este pago ya está hecho: comuníquese con la tienda por el segundo.`,
  },
  overpaid: {
    headline: 'Pagó de más',
    message: ({ received, amount }, excess) =>
      `Recibimos ${received} por un cobro de ${amount}. Ya avisamos a la tienda. Comuníquese con la tienda para que le devuelvan ${excess}.`,
  },
  late: {
    headline: 'Pagó fuera de plazo',
    message: () =>
      'Su pago llegó completo, pero después del plazo. Ya avisamos a la tienda. Comuníquese con la tienda para saber de su pedido.',
  },
  expired: {
    headline: 'Se terminó el plazo para pagar',
    message: () =>
      'No recibimos ningún pago y no se cobró nada. Vuelva a la tienda y empiece de nuevo. ¿Ya pagó? No pague otra vez: comuníquese con la tienda.',
    withMoney: ({ received, amount }) =>
      `Recibimos ${received} de ${amount}, pero se terminó el plazo. Su dinero está seguro. Comuníquese con la tienda para que se lo devuelvan o para pagar el resto.`,
  },
  failed: {
    headline: 'No se pudo completar el pago',
    message: () => 'No se cobró nada. Vuelva a la tienda y empiece de nuevo, o pague de otra forma.',
  },
  canceled: {
    headline: 'Pago cancelado',
    message: () => 'No se cobró nada. Si desea pagar, vuelva a la tienda y empiece de nuevo.',
  },
  onItsWay: {
    headline: 'Su dinero está en camino',
    message: (amount) =>
      `Encontramos ${amount}, enviados para un pago que ya está cerrado. Su dinero está seguro; no pague de nuevo. Esta página mostrará cuando llegue. Luego comuníquese con la tienda.`,
  },
  endedWithMoney: ({ received, amount }) =>
    `Recibimos ${received} de ${amount}. Su dinero está seguro. Comuníquese con la tienda para que se lo devuelvan.`,
  declines: {
    amount_too_small:
      'El monto es demasiado bajo para esta forma de pago. Elija otra o comuníquese con la tienda.',
    amount_too_large:
      'El monto es demasiado alto para esta forma de pago. Elija otra o comuníquese con la tienda.',
    payer_refused: 'El procesador de pagos no aceptó sus datos. Revíselos e intente de nuevo.',
    refused_by_provider:
      'El procesador de pagos no aceptó este pago. Elija otra forma o comuníquese con la tienda.',
    other: 'El pago fue rechazado. Intente de nuevo; si no funciona, comuníquese con la tienda.',
  },
  problems: {
    provider_away: 'El procesador de pagos no responde. No se cobró nada. Intente de nuevo en un momento.',
    refused: 'Esta forma de pago no está disponible en este momento. Elija otra.',
    kept: (tried, current) =>
      `${tried} no está disponible en este momento. No se cobró nada. Pague con ${current} aquí o elija otra forma.`,
  },
  items: { label: 'Artículos', count: (count) => `${count} artículos` },
  receipt: {
    amount: 'Monto',
    received: 'Monto recibido',
    method: 'Forma de pago',
    paidAt: 'Pagado el',
    to: 'Pagado a',
    number: 'Número de pago',
    transaction: 'Transacción',
  },
  fields: {
    name: 'Nombre',
    email: 'Correo electrónico',
    phone: 'Teléfono',
    taxId: 'CPF o CNPJ',
    iban: 'IBAN',
    country: 'País',
    postcode: 'Código postal',
    line1: 'Dirección',
    line2: 'Apartamento, piso u otros datos',
    district: 'Barrio',
    city: 'Ciudad',
    region: 'Estado o región',
  },
  faults: {
    required: (label) => `Complete el campo ${label}.`,
    email: 'Ingrese un correo electrónico válido, como ana@ejemplo.com.',
    phone: 'Ingrese un teléfono válido con el código de país, como +55 11 91234-5678.',
    taxId: 'CPF o CNPJ no válido. Revise los números.',
    iban: 'Ingrese un IBAN válido de un banco de la zona SEPA, como PT50 0002 0123 1234 5678 9015 4.',
    tooLong: 'El texto es demasiado largo. Escriba uno más corto.',
    card: 'No escriba el número de la tarjeta aquí. Use el formulario de la tarjeta.',
    country: 'Elija un país de la lista.',
  },
  mandate: (merchant) =>
    `Al continuar, usted acepta este mandato: autoriza a ${merchant}, y en su nombre a quien procesa el pago, a enviar instrucciones a su banco para adeudar esta cuenta una vez, y a su banco a adeudarla de acuerdo con ellas. Tiene derecho a que su banco le devuelva el dinero según las condiciones de su contrato con él. La devolución debe reclamarse dentro de las ocho semanas siguientes a la fecha del adeudo en su cuenta. Acepta que se le avise del adeudo poco antes.`,
  links: {
    back: (merchant) => `Volver a ${merchant}`,
    support: (merchant) => `Contactar a ${merchant}`,
    terms: 'Términos',
    privacy: 'Privacidad',
  },
  pages: {
    not_found: {
      title: 'No encontramos este pago',
      message:
        'El enlace puede estar incompleto. Ábralo de nuevo desde la tienda o desde el mensaje que recibió.',
    },
    too_many: {
      title: 'Demasiados intentos',
      message: 'Espere unos segundos y recargue la página.',
    },
    refused: { title: 'No se pudo continuar', message: 'Abra el pago de nuevo desde su enlace.' },
    broken: {
      title: 'Algo salió mal',
      message: 'Su pago está seguro. Recargue la página en un momento.',
    },
    leaving: {
      title: 'Redirigiendo al pago',
      message: 'Irá a la página segura del procesador de pagos. Si no pasa nada, toque el botón.',
      button: 'Continuar',
    },
    back_to_payment: 'Volver al pago',
  },
  frame: {
    title: 'Datos de la tarjeta',
    broken: 'El formulario de la tarjeta no cargó. Revise su conexión y recargue la página.',
  },
}
