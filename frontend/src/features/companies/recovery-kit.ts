import type { TFunction } from 'i18next'
import { formatDate } from '@/i18n/format'

export type KitFacts = { company: string; person: string; passphrase: string; epoch: number }

/** What stands on the paper, line by line. */
export function kitLines(t: TFunction<'company'>, { company, person, epoch }: KitFacts, now = new Date()): string[] {
  return [
    `${t('kit.company')} ${company}`,
    `${t('kit.person')} ${person}`,
    `${t('kit.made')} ${formatDate(now, 'long')}`,
    `${t('kit.epoch')} ${epoch}`,
  ]
}

/** The same as a plain text, which opens everywhere and for a long time to come. */
export function kitText(t: TFunction<'company'>, facts: KitFacts, now = new Date()): string {
  return [
    t('kit.heading'),
    '',
    ...kitLines(t, facts, now),
    '',
    t('kit.passphrase'),
    '',
    `    ${facts.passphrase}`,
    '',
    t('kit.keep'),
    t('kit.warning'),
    '',
  ].join('\r\n')
}
