import { Suspense, type ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { CheckField } from '@/components/forms/Field'
import { Term } from '@/components/Term'
import { WordsFields } from '@/features/companies'
import styles from './reassign.module.css'

type Props = ComponentProps<typeof WordsFields> & { chosen: boolean; onChoose: (chosen: boolean) => void }

/** Whether the company key goes to the new leader, and the words that say whose keys it is sealed to. */
export function HandoverFields({ chosen, onChoose, ...fields }: Props) {
  const { t } = useTranslation('company')
  const { name, readOnly } = fields
  return (
    <div className={styles.handover}>
      <CheckField
        label={t('lead.handOver')}
        checked={chosen}
        disabled={readOnly}
        onChange={({ target }) => onChoose(target.checked)}
      />
      {chosen ? (
        <>
          <p className={styles.explained}>
            <Term name="sixWords">{t('lead.handOverText', { name })}</Term>
          </p>
          <Suspense fallback={null}>
            <WordsFields {...fields} />
          </Suspense>
        </>
      ) : null}
    </div>
  )
}
