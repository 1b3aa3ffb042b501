"""Torch tensors, where torch is installed."""

import pith
import pytest
from pith._arrays import as_matrix

torch = pytest.importorskip("torch", reason="torch is not installed")


@pytest.mark.parametrize("type_name", ["float16", "float32", "float64", "bfloat16"])
def test_tensors_are_not_copied(data, type_name):
    tensor = torch.from_numpy(data.embeddings).to(getattr(torch, type_name))
    assert as_matrix(tensor, "embeddings").address == tensor.data_ptr()
    assert as_matrix(tensor.T.contiguous().T, "embeddings").rows == 300
    same = pith.select(tensor.float().numpy(), data.probs[0], budget=30, neighbors=5)
    assert pith.select(tensor, data.probs[0], budget=30, neighbors=5).indices.tolist() == same.indices.tolist()


def test_a_subset_of_a_dataset(data):
    chosen = pith.select(torch.from_numpy(data.embeddings), torch.from_numpy(data.probs[0]), budget=12)
    dataset = torch.utils.data.TensorDataset(torch.from_numpy(data.embeddings), torch.arange(300))
    subset = torch.utils.data.Subset(dataset, chosen.indices)
    loader = torch.utils.data.DataLoader(subset, batch_size=5)
    items = torch.cat([items for _, items in loader])
    assert items.tolist() == chosen.indices.tolist()


def test_what_must_be_done_first_is_said(data):
    with pytest.raises(pith.InputError, match=r"embeddings: .* pass embeddings.detach\(\)"):
        pith.select(torch.from_numpy(data.embeddings).requires_grad_(), data.probs[0])
    with pytest.raises(pith.InputError, match=r"embeddings: on meta, .* pass embeddings.cpu\(\)"):
        pith.select(torch.empty((300, 8), device="meta"), data.probs[0])


@pytest.mark.parametrize("type_name", ["float32", "bfloat16"])
def test_tensors_that_are_no_plain_rows(data, type_name):
    plain = torch.from_numpy(data.embeddings).to(getattr(torch, type_name))
    with pytest.raises(pith.InputError, match=r"embeddings: .*torch.sparse_coo .* pass embeddings.to_dense\(\)"):
        pith.select(plain.to_sparse(), data.probs[0])
    negated = torch._neg_view(plain)
    with pytest.raises(pith.InputError, match=r"embeddings: .* negated view; pass embeddings.resolve_neg\(\)"):
        pith.select(negated, data.probs[0])
    assert len(pith.select(negated.resolve_neg(), data.probs[0], budget=20)) == 20
    with pytest.raises(pith.Error, match="embeddings: "):
        pith.select(torch.complex(plain.float(), plain.float()).conj(), data.probs[0])
