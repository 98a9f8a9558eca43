-- A company may name one member as second key holder. The key handover sealed to that member stays:
-- it is their copy of the company key.
ALTER TABLE key_handovers ADD COLUMN purpose text NOT NULL DEFAULT 'leadership'
    CHECK (purpose IN ('leadership', 'holder'));
CREATE UNIQUE INDEX key_handovers_one_holder ON key_handovers (company_id) WHERE purpose = 'holder';
