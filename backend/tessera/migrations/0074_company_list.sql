-- Companies sorted and filtered by their number of members and by the state of their subscription.

-- The number of members of each company in one row, so that an index can order companies by it. It
-- follows `row_counts`, whose rows no transaction waits for, at the end of a transaction: what locks a
-- row here waits for nothing else afterwards.
CREATE TABLE member_counts (
    company_id int PRIMARY KEY REFERENCES companies ON DELETE CASCADE,
    count bigint NOT NULL DEFAULT 0
);
CALL protect_tenant_table('member_counts');
REVOKE INSERT, UPDATE, DELETE ON member_counts FROM tessera_app, tessera_platform;
CREATE INDEX member_counts_by_count ON member_counts (count, company_id);

CREATE FUNCTION add_member_count() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO member_counts (company_id) SELECT id FROM added;
    RETURN NULL;
END $$;
CREATE TRIGGER add_member_count AFTER INSERT ON companies
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_member_count();

CREATE FUNCTION follow_member_count() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    UPDATE member_counts
       SET count = count + NEW.count - CASE TG_OP WHEN 'UPDATE' THEN OLD.count ELSE 0 END
     WHERE company_id = NEW.company_id;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER follow_member_count AFTER INSERT OR UPDATE ON row_counts
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.name = 'members')
    EXECUTE FUNCTION follow_member_count();

-- The triggers above lock their tables until the commit, so that no row is missed.
INSERT INTO member_counts (company_id, count) SELECT id, row_count(id, 'members') FROM companies;

-- Without the passing of time: a subscription that ends without an event stays what it was until the
-- hourly round. The list therefore compares `subscribed_until` as well.
ALTER TABLE companies ADD COLUMN subscription_state text COLLATE "C" NOT NULL DEFAULT 'none'
    CHECK (subscription_state IN ('none', 'trialing', 'active', 'pastDue', 'ended', 'deactivated'));

CREATE FUNCTION set_subscription_state() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    NEW.subscription_state := CASE
        WHEN NEW.deactivated_for_debt_at IS NOT NULL THEN 'deactivated'
        WHEN NEW.subscribed_until IS NULL THEN 'none'
        WHEN NEW.subscribed_until <= now() THEN 'ended'
        ELSE COALESCE(
            (SELECT CASE status WHEN 'trialing' THEN 'trialing' WHEN 'past_due' THEN 'pastDue' END
               FROM subscriptions WHERE company_id = NEW.id),
            'active') END;
    RETURN NEW;
END $$;
CREATE TRIGGER set_subscription_state
    BEFORE INSERT OR UPDATE OF subscribed_until, deactivated_for_debt_at ON companies
    FOR EACH ROW EXECUTE FUNCTION set_subscription_state();

-- Whoever changes a status has locked the company before.
CREATE FUNCTION follow_subscription_status() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    UPDATE companies SET subscribed_until = subscribed_until WHERE id = NEW.company_id;
    RETURN NULL;
END $$;
CREATE TRIGGER follow_added_status AFTER INSERT ON subscriptions
    FOR EACH ROW WHEN (NEW.status <> '') EXECUTE FUNCTION follow_subscription_status();
CREATE TRIGGER follow_changed_status AFTER UPDATE ON subscriptions
    FOR EACH ROW WHEN (NEW.status <> OLD.status) EXECUTE FUNCTION follow_subscription_status();

UPDATE companies SET subscribed_until = subscribed_until;
CREATE INDEX companies_by_subscription ON companies (subscription_state, id);
CREATE INDEX companies_running ON companies (subscribed_until)
    WHERE subscription_state IN ('trialing', 'active', 'pastDue');

REVOKE ALL ON FUNCTION add_member_count(), follow_member_count(), set_subscription_state(),
    follow_subscription_status() FROM PUBLIC;
