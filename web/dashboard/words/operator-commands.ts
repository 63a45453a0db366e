import { dictionary } from './dictionary.ts'

/** What only a command may do, and why. */
export const operatorCommandWords = dictionary({
  command: ['Comando', 'Command', 'Comando'],
  whys: {
    operators: [
      'Quem opera é decidido só por comando, em uma máquina da instalação.',
      'Who is an operator is decided by a command only, on a machine of the installation.',
      'Quién opera se decide solo por un comando, en una máquina de la instalación.',
    ],
    colleague: [
      'A outro operador só um comando dá uma nova senha ou tira os fatores: quem entra por ele seria as duas pessoas que decidem.',
      'Only a command gives another operator a new password or takes their factors: who signs in as them would be both people who decide.',
      'A otro operador solo un comando le da una nueva contraseña o le quita los factores: quien entra por él sería las dos personas que deciden.',
    ],
    workerKey: [
      'Cifrar de novo e publicar a chave pedem a chave do trabalhador, que nenhum processo exposto à web tem.',
      'Sealing again and publishing the key need the worker’s key, which no process that faces the web has.',
      'Cifrar de nuevo y publicar la clave piden la clave del trabajador, que ningún proceso expuesto a la web tiene.',
    ],
    refill: [
      'Quando a tesouraria é sua própria carteira, o reabastecimento é preparado e assinado por comando.',
      'Where the treasury is a wallet of your own, a refill is prepared by a command, for you to sign.',
      'Cuando la tesorería es su propia billetera, la recarga se prepara por un comando, para que usted la firme.',
    ],
    rescue: [
      'Moedas enviadas por engano em outra rede são resgatadas só por comando: ele instala um contrato lá.',
      'Coins that were sent on another network by mistake are rescued by a command only: it deploys a contract there.',
      'Las monedas enviadas por error en otra red se rescatan solo por un comando: instala un contrato allí.',
    ],
    keys: [
      'Pessoas da conta fazem as próprias chaves, em Desenvolvedores. Sem ninguém lá, use o comando.',
      'People of the merchant make their own keys, in Developers. Where there is nobody, use the command.',
      'Las personas del comercio hacen sus propias claves, en Desarrolladores. Donde no hay nadie, use el comando.',
    ],
    sandboxes: [
      'Outros sandboxes são feitos por comando: ele abre contas nos provedores simulados desta máquina.',
      'Further sandboxes are made by a command: it opens accounts at the simulated providers of this machine.',
      'Otros sandboxes se hacen por un comando: abre cuentas en los proveedores simulados de esta máquina.',
    ],
  },
})
