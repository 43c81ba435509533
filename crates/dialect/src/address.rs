//! The addresses that blocks define, such as `data.{type}.{name}`.

use hclkit_value::Name;

/// A part of the form of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NamePart {
    /// A fixed name.
    Name(Name),
    /// The label at this index.
    Label(usize),
    /// The name of each attribute.
    Attribute,
}

/// The form of the addresses that a type of blocks defines. It leads from a block to its address, and back. The form is empty if
/// the blocks define no address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AddressForm(Vec<NamePart>);

/// The block, or the attribute in it, that defines an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition<'a> {
    /// The labels of the block as far as the address has them.
    pub labels: Vec<Option<&'a str>>,
    /// The attribute, if the attributes of the block define addresses.
    pub attribute: Option<&'a str>,
}

impl AddressForm {
    /// A form with these parts.
    pub fn new(parts: impl IntoIterator<Item = NamePart>) -> Self {
        Self(parts.into_iter().collect())
    }

    /// The parts.
    pub fn parts(&self) -> &[NamePart] {
        &self.0
    }

    /// Whether the blocks define no address.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The number of names in an address.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The name that all addresses begin with, such as `var`. `None` if they begin with a label.
    pub fn root(&self) -> Option<&Name> {
        match self.0.first()? {
            NamePart::Name(name) => Some(name),
            NamePart::Label(_) | NamePart::Attribute => None,
        }
    }

    /// Whether each attribute of a block has an address of its own, instead of the block.
    pub fn is_of_attributes(&self) -> bool {
        self.0.contains(&NamePart::Attribute)
    }

    /// The address that a block with these labels defines, or an attribute of it. `None` if the form is empty, or if the block
    /// has too few labels.
    pub fn address<L: AsRef<str>>(&self, labels: &[L], attribute: Option<&str>) -> Option<Vec<Name>> {
        if self.is_empty() {
            return None;
        }
        let part = |part: &NamePart| match part {
            NamePart::Name(name) => Some(name.clone()),
            NamePart::Label(at) => labels.get(*at).map(|label| Name::from(label.as_ref())),
            NamePart::Attribute => attribute.map(Name::from),
        };
        self.0.iter().map(part).collect()
    }

    /// The block that defines an address. `None` if it has another form.
    pub fn definition<'a, N: AsRef<str>>(&self, address: &'a [N]) -> Option<Definition<'a>> {
        if self.is_empty() || self.len() != address.len() {
            return None;
        }
        let mut found = Definition { labels: Vec::new(), attribute: None };
        for (part, name) in self.0.iter().zip(address.iter().map(AsRef::as_ref)) {
            match part {
                NamePart::Name(own) if **own == *name => {}
                NamePart::Name(_) => return None,
                NamePart::Label(at) => {
                    found.labels.resize(found.labels.len().max(at + 1), None);
                    found.labels[*at] = Some(name);
                }
                NamePart::Attribute => found.attribute = Some(name),
            }
        }
        Some(found)
    }
}
