import { timeInSpanish } from '../format.ts'
import type { Sentences } from './en.ts'

export const esSentences: Sentences = {
  methods: {
    PIX: { label: 'Pix', hint: 'Con la app de su banco, aprobación al instante.' },
    CREDIT_CARD: { label: 'Tarjeta', hint: 'Tarjeta de crédito o débito.' },
    CRYPTO: { label: 'USDT', hint: 'Desde su billetera o exchange, confirmado en pocos minutos.' },
    PARTNER_PAY: { label: 'Billetera digital', hint: 'Confirme en la app de su billetera.' },
  },
  until: (time, isToday) => `hasta ${isToday ? timeInSpanish(time) : `el ${time}`}`,
  choose: {
    headline: '¿Cómo quiere pagar?',
    message: 'Elija la forma de pago. Puede cambiarla antes de pagar.',
    one: 'Complete los datos que faltan y continúe con el pago.',
  },
  preparing: { headline: 'Un momento', message: 'Estamos preparando su pago.' },
  waiting: {
    PIX: {
      headline: 'Pague con Pix',
      message: (until) => `Escanee el código QR con la app de su banco o copie el código. Válido ${until}.`,
    },
    CREDIT_CARD: {
      headline: 'Pague con tarjeta',
      message: 'Su banco puede pedirle una confirmación. No se cobra nada antes de eso.',
      hosted: 'Irá a la página segura del procesador de pagos y luego volverá aquí.',
    },
    CRYPTO: {
      headline: (amount) => `Envíe ${amount}`,
      message: (amount, network, until) =>
        `Envíe exactamente ${amount} por la red ${network} a esta dirección ${until}.`,
    },
    PARTNER_PAY: {
      headline: 'Pague en la app de su billetera',
      message: (until) =>
        `Escanee el código QR con la app o, en el celular, toque el botón para abrirla. Válido ${until}.`,
    },
  },
  confirming: {
    headline: 'Estamos confirmando su pago',
    coins: ({ received }) =>
      `Detectamos ${received} en la red. La confirmación es automática y tarda pocos minutos; puede cerrar esta página.`,
    other: 'Su pago se está procesando. No tiene que hacer nada más ni pagar de nuevo.',
    late: ({ received }) =>
      `Detectamos ${received} en la red, enviados después del plazo. Cuando la red los confirme, se acreditarán y avisaremos a la tienda.`,
  },
  authorised: {
    headline: 'Pago autorizado',
    message: (merchant) =>
      `El monto está reservado en su tarjeta. ${merchant} lo cobrará al confirmar su pedido.`,
  },
  underpaid: {
    headline: 'Pago incompleto',
    more: ({ received, amount }, missing, until) =>
      `Recibimos ${received} de ${amount}. Envíe ${missing} más a esta dirección ${until}.`,
    ask: ({ received, amount }) =>
      `Recibimos ${received} de ${amount}. Comuníquese con la tienda para pagar el resto.`,
  },
  paid: {
    headline: 'Pago confirmado',
    message: (merchant) => `${merchant} recibió su pago. ¡Gracias!`,
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
  endedWithMoney: ({ received, amount }) =>
    `Recibimos ${received} de ${amount}. Su dinero está seguro. Comuníquese con la tienda para que se lo devuelvan.`,
  declines: {
    insufficient_funds: 'La tarjeta no tiene fondos suficientes para este monto. Pruebe con otra.',
    expired_card: 'La tarjeta está vencida. Pruebe con otra.',
    incorrect_cvc: 'El código de seguridad es incorrecto. Revíselo e intente de nuevo.',
    incorrect_number: 'El número de la tarjeta es incorrecto. Revíselo e intente de nuevo.',
    card_not_supported: 'No se acepta este tipo de tarjeta. Pruebe con otra.',
    limit_exceeded: 'El monto supera el límite de la tarjeta. Pruebe con otra.',
    authentication_failed: 'Su banco no confirmó su identidad. Intente de nuevo o use otra tarjeta.',
    processing_error: 'No pudimos comunicarnos con el banco. Intente de nuevo en un momento.',
    card_declined: 'El banco rechazó la tarjeta. Pruebe con otra o consulte a su banco.',
    order_canceled: 'El pago se canceló en la app. No se cobró nada. Intente de nuevo.',
    order_failed: 'La app no pudo completar el pago. No se cobró nada. Intente de nuevo.',
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
  },
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
    tooLong: 'El texto es demasiado largo. Escriba uno más corto.',
    card: 'No escriba el número de la tarjeta aquí. Use el formulario de la tarjeta.',
    country: 'Elija un país de la lista.',
  },
  qr: {
    PIX: 'Código QR del pago Pix',
    address: 'Código QR de la dirección',
    wallet: 'Código QR con dirección y monto, para billeteras',
    PARTNER_PAY: 'Código QR para la app de la billetera',
  },
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
