import { useTranslation } from 'react-i18next'
import { Form } from '@/components/forms/Form'
import { normalisePassphrase } from '@/crypto/passphrase'
import { NewPassphraseFields, passphraseProblem, RecoveryKit } from '@/features/companies'
import type { StepProps } from '../use-signup'
import styles from '../signup.module.css'
import { StepActions, StepHeading } from '../StepLayout'

export default function PassphraseStep({ signup }: StepProps) {
  const { t } = useTranslation(['signup', 'company', 'auth'])
  const { passphrase } = signup.secrets
  const { firstName, lastName } = signup.draft.person
  const problem = passphraseProblem(passphrase)
  return (
    <>
      <StepHeading title={t('passphrase.title')} text={t('passphrase.text')} arrived={signup.moved} />
      <Form
        className={styles.form}
        onSubmit={() => {
          if (problem === null) signup.goNext()
        }}
      >
        <NewPassphraseFields draft={passphrase} onChange={(changed) => signup.keepSecrets({ passphrase: changed })} />
        {problem === null ? (
          <section className={styles.kit}>
            <h2>{t('company:kit.heading')}</h2>
            <RecoveryKit
              company={signup.draft.company.name}
              person={`${firstName} ${lastName}`}
              passphrase={normalisePassphrase(passphrase.passphrase)}
              epoch={1}
            />
          </section>
        ) : null}
        <StepActions onBack={signup.goBack} disabledReason={problem && t(`company:newPassphrase.problem.${problem}`)} />
      </Form>
    </>
  )
}
