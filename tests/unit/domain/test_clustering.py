"""Clusters that hold: of one topic, one subject, tight and small (constants.md 2.7; cases.md 25)."""

import numpy as np
import pytest

from graph_memory.domain.clustering import (
    ClusterRules,
    Points,
    centroid,
    cluster_key,
    cosines_to_centroid,
    settled_clusters,
    topic_text,
)
from graph_memory.domain.statement import Wording
from graph_memory.domain.vocabulary import MemoryId
from graph_memory.inference.clustering import DbscanClusterer

RULES = ClusterRules()


def density(rows, eps: float):
    return DbscanClusterer()(rows, eps=eps, min_samples=RULES.min_samples)


def at_angles(*degrees: float) -> np.ndarray:
    """Unit vectors in a plane."""
    radians = np.radians(degrees)
    return np.stack([np.cos(radians), np.sin(radians)], axis=1)


def clusters(vectors: np.ndarray, *, topics: np.ndarray | None = None, subjects=None, rules: ClusterRules = RULES):
    points = Points(vectors, vectors if topics is None else topics, subjects or ["ana"] * len(vectors))
    return settled_clusters(points, density, rules)


def test_the_centroid_is_the_renormalised_mean():
    middle = centroid(at_angles(0, 90))

    assert middle == pytest.approx(at_angles(45))
    assert cosines_to_centroid(at_angles(0, 90)) == pytest.approx([np.sqrt(0.5)] * 2)


def test_vectors_that_cancel_out_have_the_first_as_their_centroid():
    assert centroid(at_angles(0, 180)) == pytest.approx(at_angles(0))


def test_three_that_lie_near_are_a_cluster_and_two_are_none():
    assert clusters(at_angles(0, 5, 10)) == [(0, 1, 2)]
    assert clusters(at_angles(0, 5)) == []


def test_the_distance_is_one_minus_cosine_and_its_bound_belongs_to_it():
    edge = float(np.degrees(np.arccos(0.65)))

    assert clusters(at_angles(0, 0, edge)) == [(0, 1, 2)]
    assert clusters(at_angles(0, 0, edge + 0.01)) == []


def test_what_lies_apart_is_noise():
    assert clusters(at_angles(0, 4, 8, 120)) == [(0, 1, 2)]


def test_a_chain_is_parted_until_every_member_is_near_the_centroid():
    chain = at_angles(*(start + step for start in (0, 40, 80, 120) for step in (0, 1, 2)))

    found = clusters(chain)

    assert found == [(0, 1, 2), (3, 4, 5), (6, 7, 8), (9, 10, 11)]


def test_an_even_chain_has_no_part_that_holds():
    assert clusters(at_angles(*range(0, 180, 6))) == []


def test_a_cluster_that_mixes_subjects_is_parted_by_subject():
    assert clusters(at_angles(0, 1, 2, 3, 4, 5), subjects=["ana", "luis"] * 3) == [(0, 2, 4), (1, 3, 5)]


def test_a_subject_with_too_few_members_is_left_out():
    assert clusters(at_angles(0, 1, 2, 3, 4), subjects=["ana", "luis", "ana", "luis", "ana"]) == [(0, 2, 4)]


def test_a_cluster_that_mixes_topics_is_parted_or_left_alone():
    near = np.tile(at_angles(0), (6, 1)) + np.random.default_rng(1).normal(0, 0.001, (6, 2))
    near /= np.linalg.norm(near, axis=1, keepdims=True)

    assert clusters(near, topics=at_angles(0, 90, 180, 270, 45, 135)) == []


def test_twenty_members_stay_together_and_more_are_parted():
    twenty, many = at_angles(*[0] * 20), at_angles(*[0] * 21)

    assert [len(each) for each in clusters(twenty)] == [20]
    assert [len(each) for each in clusters(many)] == [11, 10]


def test_a_large_cluster_is_parted_where_it_is_thin():
    """At 0.35 one, at 0.28 two: the step between them is the widest."""
    first, second = [i * 0.1 for i in range(15)], [46 + i * 0.1 for i in range(15)]

    assert [len(each) for each in clusters(at_angles(*first, *second))] == [15, 15]


def test_the_key_of_a_cluster_knows_its_members_and_not_their_order():
    one, other, third = MemoryId("a"), MemoryId("b"), MemoryId("c")

    assert cluster_key([one, other]) == cluster_key([other, one])
    assert cluster_key([one, other]) != cluster_key([one, other, third])
    assert cluster_key([MemoryId("ab"), third]) != cluster_key([one, MemoryId("bc")])


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("The bus in Porto was late", "bus late"),
        ("In Porto the dentist moved", "dentist moved"),
        ("Ana plays chess at the club", "plays chess club"),
        ("Porto", "Porto"),
        ("We were in Porto", "We were in Porto"),
    ],
)
def test_a_topic_is_a_text_without_names_and_words_of_no_content(text: str, topic: str):
    assert topic_text(text, names=frozenset({"porto", "ana"}), wording=Wording()) == topic
