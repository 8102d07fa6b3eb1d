"""A run in each state that it can be left in, through every report: read back, valid, small, whole."""

import json

import jsonschema
import junitparser
import pytest

import junit_schema
from fake_runs import STATES, brief
from twx_accept.report import data, html, junit, loading, markdown, schema

JOB_PAGE = 60_000


@pytest.mark.parametrize("state", STATES)
def test_every_state_is_rendered_again(state: str) -> None:
    """Page, Markdown, JSON and JUnit of the record read back are those of the record; the JSON fits its schema."""
    run = brief(STATES[state]())
    written = data.render(run)
    jsonschema.Draft202012Validator(json.loads(schema.text())).validate(json.loads(written))
    read = loading.loads(written, "report.json")
    for render in (html.render, markdown.render, data.render, junit.render):
        assert render(read) == render(run)


@pytest.mark.parametrize("state", STATES)
def test_every_state_fits_a_job_page_and_a_ci_server(state: str) -> None:
    """At full size the Markdown is whole and small, and each verdict and each one that is missing has a testcase."""
    run = STATES[state]()
    page = markdown.render(run)
    assert len(page.encode()) < JOB_PAGE
    assert "The rest is in the report" not in page
    rendered = junit.render(run)
    (suite,) = junitparser.JUnitXml.fromstring(rendered.encode())
    assert suite.tests == len(run.verdicts) + len(run.missing()) + len(run.controls)
    junit_schema.xunit2().validate(rendered)  # last: skips where it is absent
